"""`python -m fairvec`, where the command is not on the path."""

from fairvec.cli import main

if __name__ == "__main__":
    main()
