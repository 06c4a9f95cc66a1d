"""Runs the command line with heartbeats of live feeds an hour apart: earlier entries reach a reader by signal only.

Run as a program, in place of ``python -m replays.cli``.
"""

if __name__ == "__main__":
    from replays.cli import main
    from replays.server.routes import live

    live.BEAT = 3600.0
    main()
