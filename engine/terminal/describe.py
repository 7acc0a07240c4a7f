"""What ``describe`` prints: everything a script needs to call a method, read from its declaration."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.core.method import Method
from engine.core.views import Axis, View


def description(method: Method) -> dict[str, Any]:
    """One JSON object: title, parameters (JSON schema), presets, views, data, results, actions."""
    return {
        "slug": method.slug,
        "title": method.title,
        "area": method.area,
        "sentence": method.sentence,
        "paper": dataclasses.asdict(method.paper),
        "extra": method.extra or None,
        "parameters": method.parameters.model_json_schema(),
        "presets": {
            preset.name: {
                "values": dict(preset.values),
                "data": preset.data or method.sets[0].name,
                "help": preset.help,
            }
            for preset in method.presets
        },
        "views": {view.name: _view(view) for view in method.views},
        "data": {
            "default": method.sets[0].name,
            "embedded": {data.name: data.title for data in method.sets},
            "formats": {kind.title: list(kind.accepts) for kind in method.data},
        },
        "results": {s.name: {"meaning": s.meaning, "unit": s.unit} for s in method.scalars},
        "tables": {t.name: {"meaning": t.meaning, "columns": dict(t.columns)} for t in method.tables},
        "actions": {
            action.name: {
                "title": action.title,
                "help": action.help,
                "edits": action.edits,
                "arguments": action.arguments.model_json_schema(),
            }
            for action in method.actions
        },
    }


def _view(view: View) -> dict[str, Any]:
    axes = {
        f.name: axis.shown()
        for f in dataclasses.fields(view)
        if isinstance(axis := getattr(view, f.name), Axis)
    }
    return {"kind": view.kind, "title": view.title, "entity": view.entity, "axes": axes, "help": view.help}
