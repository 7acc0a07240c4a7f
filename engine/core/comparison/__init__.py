"""Runs of one method beside each other, for any method and with none of its code.

`sides` says who is compared (runs that differ in their seed alone are one side), `differences` which
settings differ, `results` what came out, `overlay` lays views of the same name over each other where their
kind allows it, `tables` puts tables side by side, `timeline` finds the same place in several histories,
`comparison` holds it all together and `files` writes it down.
"""
