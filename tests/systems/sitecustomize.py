"""Simulate Windows or macOS: remove from Python the features that they lack.

Every interpreter that starts with this folder on PYTHONPATH is changed.  The environment variable
SIMULATED_SYSTEM names the system.  Python's documentation (docs.python.org/3/library/) says what
each system lacks; comments name the pages.  Some modules of Python need the removed names to start
processes here, so these modules are imported before the names are removed.
"""

import builtins
import importlib
import os
import sys

# {system: {module: names that it lacks}}.  The module's page in Python's documentation
# (os.html for os) says on which systems each name is available.
LACKING = {
    "windows": {
        "os": (
            "fork forkpty getuid geteuid getgid setuid setsid setpgid getpgid killpg mkfifo openpty O_NONBLOCK "
            "memfd_create posix_fallocate posix_spawn register_at_fork sched_getaffinity sched_setaffinity getloadavg "
            "nice sysconf uname wait wait3 wait4 set_blocking chown fchmod mknod pread pwrite ctermid confstr"
        ),
        "select": "poll epoll PIPE_BUF kqueue",
        "signal": (
            "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH "
            "pthread_kill pthread_sigmask setitimer alarm pause sigwait siginterrupt"
        ),
        "socket": "send_fds recv_fds AF_UNIX",
        "time": "tzset clock_settime",
        "shutil": "chown",
    },
    "macos": {
        "os": (
            "memfd_create posix_fallocate sched_getaffinity sched_setaffinity pidfd_open eventfd splice "
            "setresuid getresuid"
        ),
        "select": "epoll",
        "signal": "sigtimedwait sigwaitinfo SIGPWR SIGRTMIN SIGRTMAX",
        "fcntl": "F_SETSIG F_GETSIG F_NOTIFY",
        "socket": "AF_ALG AF_NETLINK",
    },
}
# {system: modules that it lacks}: Python's "Unix-specific services", and the modules that need those.
MODULES = {
    "windows": "fcntl resource termios tty pty pwd grp syslog curses readline nis spwd crypt _posixshmem posix_ipc",
    "macos": "spwd",
}
NEEDED_HERE = (
    "subprocess selectors threading tempfile socket shutil signal random zipfile multiprocessing"
)


def take_away(system):
    for name in NEEDED_HERE.split():
        importlib.import_module(name)
    import multiprocessing

    if system == "windows":
        give_windows_ways()
    multiprocessing.set_start_method("spawn")  # as Windows and macOS do (multiprocessing.html)
    for module, names in LACKING[system].items():
        for name in names.split():
            vars(sys.modules.get(module) or importlib.import_module(module)).pop(name, None)
    # "spawn" needs this module, which checks at its import which signal functions exist.
    importlib.import_module("multiprocessing.resource_tracker")
    for name in MODULES[system].split():
        sys.modules[name] = None  # importing it raises ModuleNotFoundError


def give_windows_ways():
    """Emulate, with features of this system, the Windows features that the project uses."""
    import mmap
    import signal
    import socket
    import subprocess
    import threading

    kill = signal.SIGKILL
    subprocess.Popen.kill = lambda self: self.send_signal(kill)
    # The values are those in subprocess.html.
    subprocess.CREATE_NEW_PROCESS_GROUP, subprocess.CREATE_NO_WINDOW = (0x200, 0x8000000)
    start = subprocess.Popen.__init__

    def popen(self, *arguments, creationflags=0, **keywords):
        """Emulate Popen on Windows: creation flags, no pass_fds, no preexec_fn."""
        for name in ("pass_fds", "preexec_fn"):  # subprocess.html: "POSIX only"
            assert not keywords.pop(name, None), f"{name} is not supported on Windows"
        if creationflags & subprocess.CREATE_NEW_PROCESS_GROUP:
            keywords["start_new_session"] = True
        start(self, *arguments, **keywords)

    subprocess.Popen.__init__ = popen

    class Mapping(mmap.mmap):
        """An mmap with a tag (mmap.html).  Processes that open the same tag share its memory."""

        def __new__(cls, descriptor, size, tagname=None, offset=0, **keywords):
            if tagname is None:
                return super().__new__(cls, descriptor, size, offset=offset, **keywords)
            assert descriptor == -1
            descriptor = os.open(
                os.path.join(os.environ["SIMULATED_TAGS"], tagname), os.O_RDWR | os.O_CREAT
            )
            try:
                os.ftruncate(descriptor, max(offset + size, os.fstat(descriptor).st_size))
                return super().__new__(cls, descriptor, size, offset=offset)
            finally:
                os.close(descriptor)

    mmap.mmap = Mapping
    wait, mask = threading.Condition.wait, signal.pthread_sigmask

    def deaf_wait(self, timeout=None):
        """Emulate Windows, where Ctrl-C doesn't end the wait for a lock (threading.html)."""
        if threading.current_thread() is not threading.main_thread():
            return wait(self, timeout)
        blocked = mask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            return wait(self, timeout)
        finally:
            mask(signal.SIG_SETMASK, blocked)

    threading.Condition.wait = deaf_wait
    # On Windows SO_REUSEADDR means what SO_REUSEPORT means here
    # (learn.microsoft.com/windows/win32/winsock).
    share = socket.SO_REUSEPORT
    socket.SO_EXCLUSIVEADDRUSE = ~socket.SO_REUSEADDR
    set_option = socket.socket.setsockopt

    def setsockopt(self, level, option, value):
        if option != socket.SO_EXCLUSIVEADDRUSE:
            set_option(self, level, share if option == socket.SO_REUSEADDR else option, value)

    socket.socket.setsockopt = setsockopt
    builtins.WindowsError = OSError  # Windows has this alias (exceptions.html)


if os.environ.get("SIMULATED_SYSTEM") in LACKING:
    take_away(os.environ["SIMULATED_SYSTEM"])
