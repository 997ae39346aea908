"""`python -m spieltisch.processes FD` is a worker process that serves calls over the socket with that descriptor."""

import socket
import sys

from spieltisch.processes.calls import serve

if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
