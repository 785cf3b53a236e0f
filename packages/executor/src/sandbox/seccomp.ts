/**
 * Builds the system-call filter of the sandbox as classic BPF. Refuses calls that reach the kernel's wide
 * surfaces, sockets that a network namespace does not fence, and memory that a data limit does not count.
 */

export type SeccompArchitecture = 'x64' | 'arm64'

export function isSeccompArchitecture(name: string): name is SeccompArchitecture {
  return name === 'x64' || name === 'arm64'
}

/** The filter in the byte layout that `bwrap --seccomp` reads: an array of `struct sock_filter`. */
export function seccompFilter(architecture: SeccompArchitecture): Buffer {
  const table = tables[architecture]
  const body: Step[] = [
    { code: LOAD, k: OFFSET_ARCHITECTURE },
    { code: JUMP_EQUAL, k: table.audit, unmatched: 'kill' },
    { code: LOAD, k: OFFSET_NUMBER },
    // On x64 the x32 calls share the audit value and would walk around every number below.
    { code: JUMP_AT_LEAST, k: X32_BIT, matched: 'deny' },
    ...table.denied.map((number): Step => ({ code: JUMP_EQUAL, k: number, matched: 'deny' })),
    { code: JUMP_EQUAL, k: table.socket, matched: 'socket' },
    { code: JUMP_EQUAL, k: table.mmap, matched: 'mmap' },
    { code: RETURN, k: ALLOW },
    { label: 'socket', code: LOAD, k: argumentOffset(0) },
    ...allowedFamilies.map((family): Step => ({ code: JUMP_EQUAL, k: family, matched: 'allow' })),
    { code: RETURN, k: ERRNO | EAFNOSUPPORT },
    { label: 'mmap', code: LOAD, k: argumentOffset(3) },
    { code: AND, k: MAP_SHARED_ANONYMOUS },
    { code: JUMP_EQUAL, k: MAP_SHARED_ANONYMOUS, matched: 'deny' },
    { label: 'allow', code: RETURN, k: ALLOW },
    { label: 'deny', code: RETURN, k: ERRNO | EPERM },
    { label: 'kill', code: RETURN, k: KILL_PROCESS },
  ]
  return assemble(body)
}

type Label = 'socket' | 'mmap' | 'allow' | 'deny' | 'kill'

interface Step {
  readonly label?: Label
  readonly code: number
  readonly k: number
  readonly matched?: Label
  readonly unmatched?: Label
}

const LOAD = 0x20
const AND = 0x54
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
const ERRNO = 0x00050000
const KILL_PROCESS = 0x80000000
const EPERM = 1
const EAFNOSUPPORT = 97
const OFFSET_NUMBER = 0
const OFFSET_ARCHITECTURE = 4
const X32_BIT = 0x40000000
const MAP_SHARED_ANONYMOUS = 0x21

/** IPv4, IPv6 and netlink live inside the network namespace. Unix sockets and vsock reach the host. */
const allowedFamilies = [2, 10, 16]

/** The same number on every architecture: io_uring, the new mount calls, pidfd_getfd, memfd_secret. */
const shared = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447]

const tables = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    mmap: 9,
    denied: [
      // ptrace, process_vm_readv, process_vm_writev, kcmp
      101,
      310,
      311,
      312,
      // mount, umount2, pivot_root, chroot, unshare, setns, name_to_handle_at, open_by_handle_at
      165,
      166,
      155,
      161,
      272,
      308,
      303,
      304,
      // add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, fanotify_init
      248,
      249,
      250,
      321,
      298,
      323,
      300,
      // init_module, finit_module, delete_module, kexec_load, kexec_file_load, reboot, swapon, swapoff, acct
      175,
      313,
      176,
      246,
      320,
      169,
      167,
      168,
      163,
      // syslog, quotactl, iopl, ioperm, settimeofday, clock_settime, clock_adjtime, adjtimex
      103,
      179,
      172,
      173,
      164,
      227,
      305,
      159,
      // memfd_create, shmget
      319,
      29,
      ...shared,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    mmap: 222,
    denied: [
      117,
      270,
      271,
      272,
      40,
      39,
      41,
      51,
      97,
      268,
      264,
      265,
      217,
      218,
      219,
      280,
      241,
      282,
      262,
      105,
      273,
      106,
      104,
      294,
      142,
      224,
      225,
      89,
      116,
      60,
      170,
      112,
      266,
      171,
      279,
      194,
      ...shared,
    ],
  },
} as const

/** The low word of an argument; both supported architectures are little-endian. */
function argumentOffset(index: number): number {
  return 16 + 8 * index
}

function assemble(steps: readonly Step[]): Buffer {
  const code = Buffer.alloc(steps.length * 8)
  steps.forEach((step, index) => {
    const distance = (label: Label | undefined): number =>
      label === undefined ? 0 : steps.findIndex((candidate) => candidate.label === label) - index - 1
    code.writeUInt16LE(step.code, index * 8)
    code.writeUInt8(distance(step.matched), index * 8 + 2)
    code.writeUInt8(distance(step.unmatched), index * 8 + 3)
    code.writeUInt32LE(step.k >>> 0, index * 8 + 4)
  })
  return code
}
