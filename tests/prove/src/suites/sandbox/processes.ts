/** Ways to act on processes of the host, to outlive the sandbox, and to take more than a share of the host. */
import type { EscapeAttempt } from './attempt.ts'

/** What a sandbox of the suite is given; an attempt that gets more says so. */
export const share = {
  maxProcesses: 48,
  maxMemoryBytes: 800 * 1024 ** 2,
  maxOutputBytes: 64 * 1024,
} as const

export const processes: readonly EscapeAttempt[] = [
  {
    name: 'kill a process of the host',
    language: 'sh',
    script: ({ pid }) => `kill -9 ${pid}; kill -TERM ${pid}; kill -9 -${pid}`,
  },
  { name: 'stop a process of the host', language: 'sh', script: ({ pid }) => `kill -STOP ${pid}` },
  {
    name: 'kill every process in sight',
    language: 'python',
    script:
      'signal.signal(signal.SIGTERM, signal.SIG_IGN)\nif os.fork() == 0:\n    os.kill(-1, signal.SIGTERM)\n    os._exit(0)\nos.wait()',
  },
  { name: 'kill by name', language: 'sh', script: 'pkill -9 sleep; pkill -9 -f canary; killall -9 sleep' },
  {
    name: 'kill by a descriptor of a process',
    language: 'python',
    script: ({ pid }) => `fd = call(434, ${pid}, 0)\nif fd >= 0 and call(424, fd, 9, 0, 0) == 0: out()`,
  },
  {
    name: 'take a descriptor from a process',
    language: 'python',
    script: ({ pid }) =>
      `fd = call(434, ${pid}, 0)\nfor target in (fd, call(434, 1, 0)):\n    for n in range(8):\n        if call(438, target, n, 0) >= 0: out(n)`,
  },
  {
    name: 'trace a process of the host',
    language: 'python',
    script: ({ pid }) =>
      `for who in (${pid}, 1, os.getppid()):\n    if who != 0 and call(101, 16, who, 0, 0) == 0: out(who)`,
  },
  { name: 'be traced', language: 'python', script: 'if call(101, 0, 0, 0, 0) == 0: out()' },
  {
    name: 'seize a process',
    language: 'python',
    script: ({ pid }) => `if call(101, 0x4206, ${pid}, 0, 0) == 0: out()`,
  },
  {
    name: 'read the memory of a process',
    language: 'python',
    script: ({ pid }) =>
      `b = ctypes.create_string_buffer(64)\nlocal = struct.pack('<QQ', ctypes.addressof(b), 64)\nfor who in (${pid}, 1, os.getpid()):\n    if call(310, who, ctypes.c_char_p(local), 1, ctypes.c_char_p(local), 1, 0) > 0: out(who)`,
  },
  {
    name: 'write the memory of a process',
    language: 'python',
    script: ({ pid }) =>
      `b = ctypes.create_string_buffer(8)\nlocal = struct.pack('<QQ', ctypes.addressof(b), 8)\nfor who in (${pid}, 1, os.getpid()):\n    if call(311, who, ctypes.c_char_p(local), 1, ctypes.c_char_p(local), 1, 0) > 0: out(who)`,
  },
  {
    name: 'compare processes',
    language: 'python',
    script: ({ pid }) => `if call(312, ${pid}, 1, 0, 0, 0) >= 0: out()`,
  },
  {
    name: 'change the limits of a process of the host',
    language: 'python',
    script: ({ pid }) => `resource.prlimit(${pid}, resource.RLIMIT_CPU, (1, 1))\nout()`,
  },
  {
    name: 'change the priority of a process of the host',
    language: 'python',
    script: ({ pid }) => `os.setpriority(os.PRIO_PROCESS, ${pid}, 19)\nout()`,
  },
  {
    name: 'change the processors of a process of the host',
    language: 'python',
    script: ({ pid }) => `os.sched_setaffinity(${pid}, {0})\nout()`,
  },
  {
    name: 'gain priority',
    language: 'python',
    script:
      "try:\n    os.setpriority(os.PRIO_PROCESS, 0, -10)\n    out('nice')\nexcept OSError: pass\nos.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))\nout('real time')",
  },
  {
    name: 'move a process into another group',
    language: 'sh',
    script: ({ pid }) =>
      `for g in $(find /sys/fs/cgroup -name cgroup.procs 2>/dev/null); do echo $$ > $g && echo GOT-OUT; echo ${pid} > $g && echo GOT-OUT; done`,
  },
  {
    name: 'type into the terminal',
    language: 'python',
    script:
      "for fd in (0, 1, 2):\n    try:\n        fcntl.ioctl(fd, 0x5412, b'x')\n        out('typed')\n    except OSError: pass\nfd = os.open('/dev/tty', os.O_RDWR)\nfcntl.ioctl(fd, 0x5412, b'x')\nout('typed')",
  },
  {
    name: 'type into a terminal of its own',
    language: 'python',
    script:
      "a, b = os.openpty()\nos.setsid() if os.getpid() != os.getsid(0) else None\nfcntl.ioctl(b, 0x540E, 0)\nfcntl.ioctl(b, 0x5412, b'x')\nout('typed')",
  },
  {
    name: 'outlive the sandbox in a session of its own',
    language: 'sh',
    script: ({ mark }) => `setsid sleep 71.${parseInt(mark.slice(0, 6), 16)} >/dev/null 2>&1 &`,
  },
  {
    name: 'outlive the sandbox as a grandchild',
    language: 'python',
    script: ({ mark }) =>
      `if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        os.closerange(0, 64)\n        os.execv('/usr/bin/sleep', ['sleep', '71.${Number.parseInt(mark.slice(0, 6), 16)}'])\n    os._exit(0)`,
  },
  {
    name: 'outlive the sandbox deaf to signals',
    language: 'python',
    script: ({ mark }) =>
      `for n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nif os.fork() == 0:\n    os.execv('/usr/bin/sleep', ['sleep', '71.${Number.parseInt(mark.slice(0, 6), 16)}'])`,
  },
  {
    name: 'outlive its time',
    language: 'sh',
    timeoutMs: 500,
    script: ({ mark }) =>
      `trap '' TERM INT HUP; echo TRIED-IT; nohup sleep 71.${Number.parseInt(mark.slice(0, 6), 16)} & setsid sleep 71.${Number.parseInt(mark.slice(0, 6), 16)}`,
  },
  {
    name: 'outlive its time with a network',
    language: 'sh',
    profile: 'network',
    timeoutMs: 1_500,
    script: ({ mark }) =>
      `trap '' TERM INT HUP; echo TRIED-IT; setsid sleep 71.${Number.parseInt(mark.slice(0, 6), 16)} & sleep 71.${Number.parseInt(mark.slice(0, 6), 16)}`,
  },
  {
    name: 'more processes than its share',
    language: 'python',
    script: `made = 0\ntry:\n    for _ in range(400):\n        if os.fork() == 0:\n            time.sleep(20)\n            os._exit(0)\n        made += 1\nexcept OSError: pass\nif made > ${share.maxProcesses + 2}: out(made)`,
  },
  {
    name: 'more threads than its share',
    language: 'python',
    script: `import threading\nmade = 0\ntry:\n    for _ in range(400):\n        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()\n        made += 1\nexcept RuntimeError: pass\nif made > ${share.maxProcesses + 2}: out(made)`,
  },
  {
    name: 'a bomb of forks',
    language: 'sh',
    timeoutMs: 1_500,
    script: 'echo TRIED-IT; b() { b | b & }; b; sleep 1',
  },
  {
    name: 'more memory than its share',
    language: 'python',
    script: `held = []\nfor _ in range(30): held.append(bytearray(64 * 1024 ** 2))\nout(len(held))`,
  },
  {
    name: 'more memory than its share, shared',
    language: 'python',
    script: 'held = [mmap.mmap(-1, 64 * 1024 ** 2) for _ in range(30)]\nout()',
  },
  {
    name: 'more memory than its share, as a file',
    language: 'python',
    script: "fd = os.memfd_create('m')\nos.truncate(fd, 4 * 1024 ** 3)\nout()",
  },
  {
    name: 'more memory than its share, as a segment',
    language: 'python',
    script: 'if call(29, 0, 1024 ** 3, 0o1600) >= 0: out()',
  },
  {
    name: 'more of the temporary directory than its share',
    language: 'sh',
    script:
      'head -c 100M /dev/zero > /tmp/fill && echo GOT-OUT; head -c 100M /dev/zero > /dev/shm/fill && echo GOT-OUT',
  },
  {
    name: 'more files than its share',
    language: 'python',
    script: "held = [open('/dev/null') for _ in range(1100)]\nout(len(held))",
  },
  {
    name: 'more open files by a limit of its own',
    language: 'python',
    script: 'resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\nout()',
  },
  {
    name: 'a larger limit of memory',
    language: 'python',
    script:
      'resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\nout()',
  },
  {
    name: 'a file of its own size',
    language: 'sh',
    script: 'truncate -s 3G large && echo GOT-OUT; rm -f large',
  },
  {
    name: 'a core of its memory',
    language: 'sh',
    script:
      'ulimit -c unlimited && echo GOT-OUT; sh -c "kill -SEGV \\$\\$"; ls core* 2>/dev/null && echo GOT-OUT',
  },
  {
    name: 'more output than its share',
    language: 'sh',
    script: 'echo TRIED-IT; head -c 3M /dev/zero | tr "\\0" x',
  },
]
