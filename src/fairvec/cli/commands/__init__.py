"""The commands, a file for those of one topic; `fairvec.cli.app` loads one when it is named."""
