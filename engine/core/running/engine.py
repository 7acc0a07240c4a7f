"""The engine: one thread that advances runs, one that carries out actions, one that loads, one heart.

The work thread takes the first job of the queue and advances its generator until it ends, or leaves the
thread (paused, waiting for an answer). Between two yields it stops, pauses and carries out actions on the
run it advances. Actions on every other run, and on previews, go to the steering thread, so that they
answer at once whatever is being computed. The heart writes records and samples memory twice a second.
Nothing here knows Qt or any method by name.
"""

from __future__ import annotations

import shutil
import threading
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from engine.core.context import Context
from engine.core.errors import PapertabError, RunError, StorageError
from engine.core.events import Acted, Answered, Ask
from engine.core.method import Method, load
from engine.core.parameters import MethodParameters
from engine.core.records.header import RunHeader, new_id, versions
from engine.core.records.library import Library
from engine.core.records.writer import RunWriter
from engine.core.running.generators import GlobalGenerators
from engine.core.running.heart import Heart
from engine.core.running.job import Failure, Job, RunRequest
from engine.core.running.lane import Lane
from engine.core.running.preview import Preview
from engine.core.running.priority import step_down
from engine.core.running.queue import JobQueue
from engine.core.running.status import Status
from engine.core.running.steerable import Call, Steerable

_ADVANCING = threading.Lock()
"""Held while a run is advanced: the global generators and thread numbers belong to the whole process."""
CLAIM_SECONDS = 0.1


class Engine:
    """Runs jobs. All public methods may be called from any thread and return at once."""

    def __init__(self, library: Library, cache: Path) -> None:
        self.library = library
        self.cache = cache
        self.queue = JobQueue()
        self.steering = Lane("steering")
        self.loading = Lane("loading")
        self._heart = Heart(self._out_of_room, self._close_record)
        self._jobs: dict[str, Job] = {}
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="engine", daemon=False)
        self._thread.start()

    # ------------------------------------------------------------------ asking for things

    def submit(self, request: RunRequest, folder: Path | None = None) -> Job:
        """Queue a run. Its record begins now, in `folder` or in the library.

        Raises:
            StorageError: the record cannot be begun.
        """
        header = header_of(request)
        writer = RunWriter(folder, header) if folder else self.library.create(header)
        context = Context(
            request.seed, writer.folder / "scratch", self.cache, request.threads, request.device
        )
        job = Job(request, context, writer)
        self._jobs[job.id] = job
        job.enter(Status.QUEUED)
        self._heart.watch(job)
        self.queue.add(job)
        return job

    def pause(self, job: Job) -> None:
        """Let the run leave the thread at its next yield."""
        if job.status is Status.QUEUED and job.generator is None:
            self.queue.hold(job)
            job.enter(Status.PAUSED)
        elif job.status is Status.RUNNING or job.status is Status.QUEUED:
            job.wish = "pause"

    def resume(self, job: Job) -> None:
        """Let a paused run go on as soon as the thread is free, before the jobs that wait."""
        if job.status is Status.RUNNING and job.wish == "pause":
            job.wish = ""
        elif job.status is Status.PAUSED:
            job.wish = ""
            job.enter(Status.QUEUED)
            self.queue.add(job, first=True)

    def stop(self, job: Job) -> None:
        """End the run at its next yield; what it has is kept."""
        if job.status.ended:
            return
        job.wish = "stop"
        if job.status is not Status.RUNNING:
            self.steering.call(lambda: self._stop_idle(job))

    def answer(self, job: Job, reply: Mapping[str, Any]) -> None:
        """Reply to the question a waiting run asked."""
        if job.status is not Status.WAITING:
            raise RunError("This run is not waiting for an answer.")
        job.reply = dict(reply)
        job.question = None
        job.publish(Answered(job.reply, "person"))
        job.enter(Status.QUEUED)
        self.queue.add(job, first=True)

    def preview(
        self,
        method: Method,
        parameters: MethodParameters,
        data: Any,
        seed: int = 0,
        earlier: Sequence[Acted] = (),
    ) -> Preview:
        """Draw what can be drawn before a run, on the steering thread; `earlier` edits are done again."""
        context = Context(seed, self.cache / "preview", self.cache)
        preview = Preview(method, parameters, data, context, earlier)
        preview.future = self.steering.call(preview.make)
        return preview

    def act(self, target: Steerable, name: str, arguments: Mapping[str, Any]) -> Future[None]:
        """Carry out an action on a run or preview.

        Raises:
            UnknownNameError, FieldError: at once, before anything is queued.
        """
        return self._dispatch(target, target.call(name, arguments))

    def undo(self, target: Steerable) -> Future[None] | None:
        """Take back the last edit."""
        call = target.undo_call()
        return self._dispatch(target, call) if call else None

    def redo(self, target: Steerable) -> Future[None] | None:
        """Do again what was taken back."""
        call = target.redo_call()
        return self._dispatch(target, call) if call else None

    def jobs(self) -> list[Job]:
        """All jobs of this session, oldest first."""
        return list(self._jobs.values())

    def forget(self, job: Job) -> None:
        """Free an ended run's state."""
        if job.status.ended:
            self._jobs.pop(job.id, None)
            job.context.state = None
            shutil.rmtree(job.context.scratch, ignore_errors=True)

    def close(self, timeout: float = 2.0) -> bool:
        """Stop every run, write the records, end the threads. False if something did not end in time."""
        self._closing = True
        for job in self.jobs():
            self.stop(job)
        self.queue.wake()
        for job in self.jobs():
            job.ended.wait(timeout)
        self._thread.join(timeout)
        clean = not self._thread.is_alive()
        clean &= self.steering.close(timeout)
        clean &= self.loading.close(timeout)
        self._heart.close()
        for job in self.jobs():
            shutil.rmtree(job.context.scratch, ignore_errors=True)
        return clean

    # ------------------------------------------------------------------ the steering thread

    def _dispatch(self, target: Steerable, call: Call) -> Future[None]:
        if isinstance(target, Job):
            with target.lock:
                if target.status is Status.RUNNING:
                    future: Future[None] = Future()
                    target.calls.append((call, future))
                    return future
        replaced = (id(target), call.action.name) if call.action.replaces and not call.action.edits else None
        return self.steering.call(lambda: self._steer(target, call), key=replaced)

    def _steer(self, target: Steerable, call: Call) -> None:
        with target.lock:
            try:
                target.carry_out(call)
                if isinstance(target, Job) and target.status.ended:
                    target.writer.flush()
            except Exception as error:
                target.feed.fail(sentence_for(error))
                raise

    # ------------------------------------------------------------------ the work thread

    def _work(self) -> None:
        step_down()
        while (job := self.queue.take(lambda: self._closing)) is not None:
            try:
                self._advance(job)
            except StorageError as error:
                job.enter(Status.PAUSED, str(error))
            except BaseException as error:
                self._end(job, Status.FAILED, Failure.of(error, traceback.format_exc()))

    def _advance(self, job: Job) -> None:
        """Advance `job` until it ends or leaves the thread."""
        if job.status.ended:
            return
        if job.wish == "stop":
            self._stop(job)
            return
        job.writer.flush()
        if not _claim_process(job):
            self._leave(job)
            return
        try:
            with job.lock:
                job.enter(Status.RUNNING)
            self._enter_thread(job)
            try:
                self._step_until_it_leaves(job)
            finally:
                job.generators = GlobalGenerators.now()
        finally:
            _ADVANCING.release()

    def _step_until_it_leaves(self, job: Job) -> None:
        generator = job.generator
        assert generator is not None
        reply, job.reply = job.reply, None
        while True:
            try:
                event = generator.send(reply)
            except StopIteration as done:
                self._finish(job, done.value)
                return
            reply = None
            job.yields += 1
            if isinstance(event, Ask):
                reply = self._ask(job, event)
                if reply is None:
                    return
            else:
                job.publish(event)
            for acted in job.replay.due(job.yields):
                job.carry_out(job.call(acted.action, acted.arguments, acted.kind))
            if job.calls:
                self._carry_out_calls(job)
            if job.wish:
                self._leave(job)
                return

    def _enter_thread(self, job: Job) -> None:
        """Begin the generator, or put the run's own global generators back."""
        job.context.claim_threads()
        if job.generator is None:
            GlobalGenerators.seeded(job.request.seed).put_back(job.request.seed)
            job.context.scratch.mkdir(parents=True, exist_ok=True)
            self._replay_preview(job)
            job.generator = load(job.method.run)(job.request.parameters, job.request.data.value, job.context)
        elif job.generators is not None:
            job.generators.put_back(job.request.seed)

    def _replay_preview(self, job: Job) -> None:
        """Do again, on a fresh preview state, what the person did before the run."""
        steering = job.request.steering
        if not steering:
            return
        preview = Preview(job.method, job.request.parameters, job.request.data, job.context)
        preview.make()
        for acted in steering:
            preview.carry_out(preview.call(acted.action, acted.arguments, acted.kind))
            job.publish(Acted(acted.action, acted.arguments, -1, acted.undo, acted.kind))
        job.context.prepared, job.context.state = job.context.state, None

    def _ask(self, job: Job, question: Ask) -> Mapping[str, Any] | None:
        """The answer, or None when the run now waits for the person."""
        job.publish(question)
        answered = job.replay.answer()
        if answered is None and job.request.ask == "oracle":
            answered = self._oracle(job, question)
        if answered is not None:
            job.publish(answered)
            return answered.answer
        job.question = question
        with job.lock:
            job.enter(Status.WAITING, question.question)
            self._pass_on_calls(job)
        return None

    def _oracle(self, job: Job, question: Ask) -> Answered:
        if job.method.oracle:
            return Answered(load(job.method.oracle)(question, job.request.data.value, job.context), "oracle")
        return Answered(question.default, "default")

    def _carry_out_calls(self, job: Job) -> None:
        while job.calls:
            call, future = job.calls.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                job.carry_out(call)
                future.set_result(None)
            except Exception as error:
                job.feed.fail(sentence_for(error))
                future.set_exception(error)

    def _pass_on_calls(self, job: Job) -> None:
        """Calls that came too late for the work thread go to the steering thread."""
        while job.calls:
            call, future = job.calls.popleft()
            chained = self.steering.call(partial(self._steer, job, call))
            chained.add_done_callback(partial(_copy, future=future))

    def _leave(self, job: Job) -> None:
        if job.wish == "stop":
            self._stop(job)
            return
        job.wish = ""
        with job.lock:
            job.enter(Status.PAUSED, job.reason)
            self._pass_on_calls(job)

    def _stop_idle(self, job: Job) -> None:
        """Stop a run that is not on the work thread; one that just got there stops at its next yield."""
        with job.lock:
            if job.status is not Status.RUNNING and not job.status.ended:
                self.queue.hold(job)
                self._stop(job)

    def _stop(self, job: Job) -> None:
        if job.generator is not None:
            job.generator.close()
        self._end(job, Status.STOPPED)

    def _finish(self, job: Job, returned: Any) -> None:
        if returned is not None:
            job.context.state = returned
        for acted in job.replay.rest():
            job.carry_out(job.call(acted.action, acted.arguments, acted.kind))
        self._end(job, Status.FINISHED)

    def _end(self, job: Job, status: Status, failure: Failure | None = None) -> None:
        job.failure = failure
        job.clock.stop()
        self._heart.leave(job)
        job.closing = (status.value, failure.as_record() if failure else None)
        self._close_record(job)
        with job.lock:
            job.enter(status, failure.message if failure else "")
            self._pass_on_calls(job)

    def _close_record(self, job: Job) -> None:
        """Close the record; where there is no room the heart tries again until there is."""
        assert job.closing is not None
        status, error = job.closing
        try:
            job.writer.close(status, error, job.clock.elapsed, job.peak_bytes / 1e6)
        except StorageError as problem:
            job.feed.fail(str(problem))
            self._heart.watch(job)
            return
        job.closing = None

    def _out_of_room(self, job: Job, error: StorageError) -> None:
        """The heart could not write: pause the run, keep what is to be written, say so."""
        if job.status is Status.RUNNING:
            job.reason = str(error)
            job.wish = "pause"
        job.feed.fail(str(error))


def header_of(request: RunRequest) -> RunHeader:
    """The head of the record of `request`."""
    return RunHeader(
        id=new_id(),
        method=request.method.slug,
        title=request.method.title,
        preset=request.preset,
        parameters=request.parameters.as_record(),
        seed=request.seed,
        threads=request.threads,
        device=request.device,
        data={**request.data.as_record(), "source": request.source, "path": _file_path(request.source)},
        name=request.name,
        tags=request.tags,
        parent=request.parent,
        versions=versions(),
    )


def _claim_process(job: Job) -> bool:
    """Wait for the process's other engines; False where the person paused or stopped the run before."""
    while not _ADVANCING.acquire(timeout=CLAIM_SECONDS):
        if job.wish:
            return False
    return True


def _file_path(source: str) -> str | None:
    """The whole path of the person's file; None for a set of ours."""
    path = Path(source)
    return str(path.resolve()) if source and path.is_file() else None


def sentence_for(error: BaseException) -> str:
    """What a person is told about `error`."""
    return str(error) if isinstance(error, PapertabError) else f"{type(error).__name__}: {error}"


def _copy(done: Future[None], future: Future[None]) -> None:
    if done.cancelled():
        future.cancel()
    elif (error := done.exception()) is not None:
        future.set_exception(error)
    else:
        future.set_result(None)
