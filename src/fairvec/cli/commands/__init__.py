"""One file a command; `fairvec.cli.app` lists them and loads one when it is named."""
