/** Calls and settings that reach the kernel itself. The numbers are those of x86-64. */
import type { EscapeAttempt } from './attempt.ts'

/** Each succeeds when the call does not fail. */
const calls: Readonly<Record<string, string>> = {
  'mount a file system': "call(165, b'none', b'/tmp', b'tmpfs', 0, 0)",
  'bind a directory': "call(165, b'/', b'/tmp', 0, 4096, 0)",
  'unmount the process table': "call(166, b'/proc', 2)",
  'turn the root': "call(155, b'/tmp', b'/tmp')",
  'change the root': "call(161, b'/tmp')",
  'leave the user namespace': 'call(272, 0x10000000)',
  'leave the mount namespace': 'call(272, 0x20000)',
  'leave the network namespace': 'call(272, 0x40000000)',
  'leave the process namespace': 'call(272, 0x20000000)',
  'leave the group namespace': 'call(272, 0x2000000)',
  'leave the time namespace': 'call(272, 0x80)',
  'start a process in a new user namespace': 'call(56, 0x10000011, 0, 0, 0, 0)',
  'start a process in a new network namespace': 'call(56, 0x40000011, 0, 0, 0, 0)',
  'start a process in a new mount namespace': 'call(56, 0x20011, 0, 0, 0, 0)',
  'start a process in a new namespace with the newest call':
    "call(435, struct.pack('<QQQQQQQQ', 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64)",
  'open a tree': "call(428, -100, b'/', 1)",
  'move a mount': "call(429, -100, b'/usr', -100, b'/tmp', 0)",
  'open a file system': "call(430, b'tmpfs', 0)",
  'pick a file system': "call(433, -100, b'/', 0)",
  'change the attributes of a mount': "call(442, -100, b'/usr', 0, struct.pack('<QQQQ', 0, 1, 0, 0), 32)",
  'add a key': "call(248, b'user', b'k', b'v', 1, -3)",
  'request a key': "call(249, b'user', b'k', 0, -3)",
  'join a keyring': 'call(250, 1, 0, 0, 0, 0)',
  'load a program into the kernel': 'call(321, 5, bytes(128), 128)',
  'make a map in the kernel': "call(321, 0, struct.pack('<IIII', 2, 4, 4, 1) + bytes(100), 116)",
  'count events': "call(298, struct.pack('<II', 1, 112) + bytes(104), 0, -1, -1, 0)",
  'handle faults': 'call(323, 0)',
  'handle faults in user mode': 'call(323, 1)',
  'watch every file': 'call(300, 0, 0)',
  'set up a ring': 'call(425, 8, bytes(256))',
  'register with a ring': 'call(427, 0, 0, 0, 0)',
  'load a module': "call(175, bytes(64), 64, b'')",
  'load a module from a file': "call(313, os.open('/usr/bin/true', os.O_RDONLY), b'', 0)",
  'remove a module': "call(176, b'loop', 0)",
  'load another kernel': 'call(246, 0, 0, 0, 0)',
  'load another kernel from a file': 'call(320, 0, 0, 0, 0, 0)',
  'forbid the three keys': 'call(169, 0xfee1dead, 672274793, 0, 0)',
  'swap to a file': "call(167, b'/tmp/x', 0)",
  'stop swapping': "call(168, b'/tmp/x')",
  'account for processes': "call(163, b'/workspace/acct')",
  'read the log of the kernel': 'call(103, 3, bytes(100), 100)',
  'clear the log of the kernel': 'call(103, 5, 0, 0)',
  'set a quota': "call(179, 0x800002, b'/dev/vda', 0, bytes(128))",
  'reach the ports of the machine': 'call(172, 3)',
  'reach one port of the machine': 'call(173, 0x80, 1, 1)',
  'set the clock': "call(227, 0, struct.pack('<qq', 0, 0))",
  'set the time of day': "call(164, struct.pack('<qq', 0, 0), 0)",
  'adjust the clock': "call(159, struct.pack('<I', 1) + bytes(204))",
  'adjust another clock': "call(305, 0, struct.pack('<I', 1) + bytes(204))",
  'make a file in memory': "call(319, b'm', 0)",
  'make a secret file in memory': 'call(447, 0)',
  'set the name of the host': "call(170, b'gone', 4)",
  'set the domain of the host': "call(171, b'gone', 4)",
  'become root': 'call(105, 0)',
  'become root in every way': 'call(117, 0, 0, 0)',
  "become root's group": 'call(119, 0, 0, 0)',
  'choose groups': "call(116, 1, struct.pack('<I', 0))",
  'take every capability':
    "call(126, struct.pack('<II', 0x20080522, 0), struct.pack('<IIIIII', *([0xffffffff] * 6)))",
  'give up the rule against new rights': 'call(157, 38, 0, 0, 0, 0)',
  'give up the filter': 'call(157, 22, 0, 0, 0, 0)',
  'keep capabilities': 'call(157, 47, 2, 21, 0, 0)',
  'mount by the numbers of another interface': "call(165 | 0x40000000, b'none', b'/tmp', b'tmpfs', 0, 0)",
  'trace by the numbers of another interface': 'call(521 | 0x40000000, 0, 0, 0, 0)',
  'open a unix socket by the numbers of another interface': 'call(41 | 0x40000000, 1, 1, 0)',
}

const byCall: EscapeAttempt[] = Object.entries(calls).map(
  ([name, expression]): EscapeAttempt => ({
    name,
    language: 'python',
    // A process that was started in two is still one attempt.
    script: `me = os.getpid()\nif ${expression} >= 0:\n    out(${JSON.stringify(name)})\n    if os.getpid() != me: os._exit(0)`,
  }),
)

const settings = [
  '/proc/sys/kernel/core_pattern',
  '/proc/sys/kernel/hostname',
  '/proc/sys/kernel/modprobe',
  '/proc/sys/kernel/randomize_va_space',
  '/proc/sys/kernel/panic',
  '/proc/sys/kernel/sysrq',
  '/proc/sys/kernel/ns_last_pid',
  '/proc/sys/vm/drop_caches',
  '/proc/sys/vm/overcommit_memory',
  '/proc/sys/fs/binfmt_misc/register',
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sys/user/max_user_namespaces',
  '/proc/sysrq-trigger',
  '/proc/1/mem',
  '/proc/1/attr/current',
  '/proc/self/uid_map',
  '/proc/self/setgroups',
  '/sys/kernel/uevent_helper',
  '/sys/kernel/mm/transparent_hugepage/enabled',
  '/sys/power/state',
  '/sys/fs/cgroup/release_agent',
  '/sys/fs/cgroup/memory/release_agent',
  '/sys/fs/cgroup/pids/notify_on_release',
  '/dev/kmsg',
  '/dev/cpu/0/msr',
]

const bySetting: EscapeAttempt[] = settings.map(
  (path): EscapeAttempt => ({
    name: `write ${path}`,
    language: 'python',
    // Written back as it was read: a setting that can be written is an escape even when it stays the same.
    script: `try: before = open('${path}', 'rb').read(64)\nexcept OSError: before = b'0'\nfd = os.open('${path}', os.O_WRONLY)\nos.write(fd, before or b'0')\nout('${path}')`,
  }),
)

export const kernel: readonly EscapeAttempt[] = [
  ...byCall,
  ...bySetting,
  {
    name: 'be spared when memory runs out',
    language: 'python',
    // A process may offer itself to be ended first, and no process may ask to be ended last.
    script:
      "for who in ('1', 'self'):\n    try:\n        os.write(os.open(f'/proc/{who}/oom_score_adj', os.O_WRONLY), b'-1000')\n        out(who)\n    except OSError: pass",
  },
  {
    name: 'run a program on release of a group',
    language: 'sh',
    script:
      'mkdir -p /tmp/cg; for c in memory rdma pids; do mount -t cgroup -o $c c /tmp/cg && echo GOT-OUT; done; mount -t cgroup2 c /tmp/cg && echo GOT-OUT',
  },
  {
    name: 'new namespaces from a shell',
    language: 'sh',
    script:
      'for f in -U -Ur -m -n -p -i -u -C -T; do unshare $f true 2>/dev/null && echo GOT-OUT $f; done; bwrap --ro-bind / / true && echo GOT-OUT; chroot / true && echo GOT-OUT',
  },
  {
    name: 'rename the host from a shell',
    language: 'sh',
    script: 'hostname gone && echo GOT-OUT; sysctl -w kernel.hostname=gone && echo GOT-OUT',
  },
  {
    name: 'set the date from a shell',
    language: 'sh',
    script:
      'date -s 2001-01-01 >/dev/null 2>&1 && [ "$(date +%Y)" = 2001 ] && echo GOT-OUT; hwclock --systohc && echo GOT-OUT',
  },
  {
    name: 'trace from a shell',
    language: 'sh',
    script:
      'strace -f true 2>/dev/null && echo GOT-OUT; gdb -p 1 -batch 2>/dev/null | grep -q attached && echo GOT-OUT',
  },
  { name: 'mount by the calls of a 32-bit program', language: 'c', script: 'mount32' },
  { name: 'start a namespace by the calls of a 32-bit program', language: 'c', script: 'unshare32' },
  { name: 'open a socket by the calls of a 32-bit program', language: 'c', script: 'socket32' },
  { name: 'climb out of a changed root', language: 'c', script: 'chroot' },
  { name: 'pass a descriptor between processes and reopen it', language: 'c', script: 'passing' },
  { name: 'kill from C', language: 'c', script: 'kill' },
  { name: 'a device made in C', language: 'c', script: 'device' },
]
