"""One file a command; `fairvec.cli.group` lists them and loads one when it is named."""
