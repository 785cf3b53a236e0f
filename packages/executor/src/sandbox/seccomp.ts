/**
 * Builds the system-call filter of the sandbox, once as classic BPF and once as the profile that container runtimes
 * read. Refuses calls that reach the kernel's wide surfaces, sockets that a network namespace does not fence, new
 * namespaces, keystrokes put into a terminal, files that run as their owner, and memory that a data limit does not
 * count.
 */

export type SeccompArchitecture = 'x64' | 'arm64'

export function isSeccompArchitecture(name: string): name is SeccompArchitecture {
  return name === 'x64' || name === 'arm64'
}

/** The filter in the byte layout that `bwrap --seccomp` reads: an array of `struct sock_filter`. */
export function seccompFilter(
  architecture: SeccompArchitecture,
  { isLayered = false, hasLocalSockets = false } = {},
): Buffer {
  const { audit, socket, socketpair, mmap, clone, ioctl } = machines[architecture]
  const refusedLinks = isLayered ? numbersOf(layeredLink, architecture) : []
  const body: FilterStep[] = [
    { code: LOAD, k: OFFSET_ARCHITECTURE },
    { code: JUMP_EQUAL, k: audit, unmatched: 'kill' },
    { code: LOAD, k: OFFSET_NUMBER },
    // On x64 the x32 calls share the audit value and would walk around every number below.
    { code: JUMP_AT_LEAST, k: X32_BIT, matched: 'deny' },
    ...numbersOf(denied, architecture).map(
      (number): FilterStep => ({ code: JUMP_EQUAL, k: number, matched: 'deny' }),
    ),
    ...refusedLinks.map((number): FilterStep => ({ code: JUMP_EQUAL, k: number, matched: 'elsewhere' })),
    { code: JUMP_EQUAL, k: socket, matched: 'socket' },
    { code: JUMP_EQUAL, k: socketpair, matched: 'socketpair' },
    { code: JUMP_EQUAL, k: mmap, matched: 'mmap' },
    { code: JUMP_EQUAL, k: clone, matched: 'clone' },
    ...Object.values(unreadable).map(
      (number): FilterStep => ({ code: JUMP_EQUAL, k: number, matched: 'absent' }),
    ),
    ...modes.flatMap(({ label, calls }) =>
      numbersOf(calls, architecture).map(
        (number): FilterStep => ({ code: JUMP_EQUAL, k: number, matched: label }),
      ),
    ),
    { code: JUMP_EQUAL, k: ioctl, matched: 'ioctl' },
    { code: RETURN, k: ALLOW },
    { label: 'socket', code: LOAD, k: argumentOffset(0) },
    ...[...allowedFamilies, ...(hasLocalSockets ? [localFamily] : [])].map(
      (family): FilterStep => ({ code: JUMP_EQUAL, k: family, matched: 'allow' }),
    ),
    { code: RETURN, k: ERRNO | EAFNOSUPPORT },
    { label: 'socketpair', code: LOAD, k: argumentOffset(1) },
    { code: AND, k: SOCKET_TYPE },
    ...connectedTypes.map((type): FilterStep => ({ code: JUMP_EQUAL, k: type, matched: 'allow' })),
    { code: RETURN, k: ERRNO | EAFNOSUPPORT },
    { label: 'mmap', code: LOAD, k: argumentOffset(3) },
    { code: AND, k: MAP_SHARED_ANONYMOUS },
    { code: JUMP_EQUAL, k: MAP_SHARED_ANONYMOUS, matched: 'deny', unmatched: 'allow' },
    { label: 'clone', code: LOAD, k: argumentOffset(0) },
    { code: JUMP_ANY_BIT, k: anyNewNamespace, matched: 'deny', unmatched: 'allow' },
    { label: 'ioctl', code: LOAD, k: argumentOffset(1) },
    ...terminalRequests.map((request): FilterStep => ({ code: JUMP_EQUAL, k: request, matched: 'deny' })),
    { code: RETURN, k: ALLOW },
    ...modes.flatMap(({ label, argument }): FilterStep[] => [
      { label, code: LOAD, k: argumentOffset(argument) },
      { code: JUMP_ANY_BIT, k: RUNS_AS_OWNER, matched: 'deny', unmatched: 'allow' },
    ]),
    { label: 'allow', code: RETURN, k: ALLOW },
    { label: 'deny', code: RETURN, k: ERRNO | EPERM },
    { label: 'absent', code: RETURN, k: ERRNO | ENOSYS },
    { label: 'elsewhere', code: RETURN, k: ERRNO | EXDEV },
    { label: 'kill', code: RETURN, k: KILL_PROCESS },
  ]
  return assemble(body)
}

/** The same filter as a JSON profile for a container runtime, which knows calls by name. */
export function seccompProfile(architecture: SeccompArchitecture): string {
  const refuse = (names: readonly string[], errnoRet: number, ...args: Comparison[]) => ({
    names,
    action: 'SCMP_ACT_ERRNO',
    errnoRet,
    args: args.map((comparison) => ({ valueTwo: 0, ...comparison })),
  })
  const isSet = (index: number, bits: number): Comparison => ({
    index,
    value: bits,
    valueTwo: bits,
    op: 'SCMP_CMP_MASKED_EQ',
  })
  const isType = (index: number, type: number): Comparison => ({
    index,
    value: SOCKET_TYPE,
    valueTwo: type,
    op: 'SCMP_CMP_MASKED_EQ',
  })
  const isValue = (index: number, value: number): Comparison => ({ index, value, op: 'SCMP_CMP_EQ' })
  const families = Array.from({ length: highestFamily }, (_, family) => family).filter(
    (family) => !allowedFamilies.includes(family),
  )
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: [machines[architecture].profileName],
    syscalls: [
      refuse(Object.keys(denied), EPERM),
      refuse(Object.keys(unreadable), ENOSYS),
      ...families.map((family) => refuse(['socket'], EAFNOSUPPORT, isValue(0, family))),
      refuse(['socket'], EAFNOSUPPORT, { index: 0, value: highestFamily, op: 'SCMP_CMP_GE' }),
      ...Array.from({ length: SOCKET_TYPE + 1 }, (_, type) => type)
        .filter((type) => !connectedTypes.includes(type))
        .map((type) => refuse(['socketpair'], EAFNOSUPPORT, isType(1, type))),
      refuse(['mmap'], EPERM, isSet(3, MAP_SHARED_ANONYMOUS)),
      ...newNamespaces.map((bit) => refuse(['clone'], EPERM, isSet(0, bit))),
      ...modes.flatMap(({ argument, calls }) =>
        [SET_USER_ID, SET_GROUP_ID].map((bit) => refuse(Object.keys(calls), EPERM, isSet(argument, bit))),
      ),
      ...terminalRequests.map((request) => refuse(['ioctl'], EPERM, isValue(1, request))),
    ],
  })
}

interface Comparison {
  readonly index: number
  readonly value: number
  readonly valueTwo?: number
  readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GE' | 'SCMP_CMP_MASKED_EQ'
}

type JumpLabel =
  | 'socket'
  | 'socketpair'
  | 'mmap'
  | 'clone'
  | 'ioctl'
  | ModeLabel
  | 'allow'
  | 'deny'
  | 'absent'
  | 'elsewhere'
  | 'kill'

type ModeLabel = 'mode in 1' | 'mode in 2' | 'mode in 3'

interface FilterStep {
  readonly label?: JumpLabel
  readonly code: number
  readonly k: number
  readonly matched?: JumpLabel
  readonly unmatched?: JumpLabel
}

const LOAD = 0x20
const AND = 0x54
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const ERRNO = 0x00050000
const KILL_PROCESS = 0x80000000
const EPERM = 1
/** What an old kernel says, at which programs fall back to a call whose arguments can be looked at. */
const ENOSYS = 38
const EAFNOSUPPORT = 97
const EXDEV = 18
const OFFSET_NUMBER = 0
const OFFSET_ARCHITECTURE = 4
const X32_BIT = 0x40000000
const MAP_SHARED_ANONYMOUS = 0x21
const SET_USER_ID = 0o4000
const SET_GROUP_ID = 0o2000
const RUNS_AS_OWNER = SET_USER_ID | SET_GROUP_ID

/** IPv4, IPv6 and netlink live inside the network namespace. Unix sockets and vsock reach the host. */
const allowedFamilies = [2, 10, 16]
const localFamily = 1
const highestFamily = 46

/** Streams and sequenced packets. One end of a pair of datagrams could be turned towards any socket of the host. */
const connectedTypes = [1, 5]
const SOCKET_TYPE = 0xf

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]
const anyNewNamespace = newNamespaces.reduce((all, bit) => all | bit, 0)

/** TIOCSTI types into a terminal, TIOCLINUX pastes into one. */
const terminalRequests = [0x5412, 0x541c]

const machines = {
  x64: {
    audit: 0xc000003e,
    profileName: 'SCMP_ARCH_X86_64',
    socket: 41,
    socketpair: 53,
    mmap: 9,
    clone: 56,
    ioctl: 16,
  },
  arm64: {
    audit: 0xc00000b7,
    profileName: 'SCMP_ARCH_AARCH64',
    socket: 198,
    socketpair: 199,
    mmap: 222,
    clone: 220,
    ioctl: 29,
  },
} as const

/** Their arguments lie in memory, where a filter cannot look. */
const unreadable = { clone3: 435, openat2: 437 }

/** On x64 and on arm64; one number where both have the same, null where arm64 has no such call. */
type Calls = Readonly<Record<string, readonly [x64: number, arm64: number | null] | number>>

/** The mode of a file, by the place it has among the arguments. What runs as its owner would do so on the host. */
const modes: readonly { readonly label: ModeLabel; readonly argument: number; readonly calls: Calls }[] = [
  {
    label: 'mode in 1',
    argument: 1,
    calls: { chmod: [90, null], fchmod: [91, 52], creat: [85, null], mknod: [133, null] },
  },
  {
    label: 'mode in 2',
    argument: 2,
    calls: { open: [2, null], fchmodat: [268, 53], fchmodat2: 452, mknodat: [259, 33] },
  },
  { label: 'mode in 3', argument: 3, calls: { openat: [257, 56] } },
]

/**
 * In layers a second name of a file from below has another inode than the first, which git takes for an attack. It
 * makes names with this call, and copies where it fails; tar, ln and cp use another one, which works.
 */
const layeredLink: Calls = { link: [86, null] }

const denied: Calls = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: 438,
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  syslog: [103, 116],
  quotactl: [179, 60],
  quotactl_fd: 443,
  iopl: [172, null],
  ioperm: [173, null],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  memfd_create: [319, 279],
  memfd_secret: 447,
  shmget: [29, 194],
}

function numbersOf(calls: Calls, architecture: SeccompArchitecture): number[] {
  return Object.values(calls)
    .map((number) => (typeof number === 'number' ? number : number[architecture === 'x64' ? 0 : 1]))
    .filter((number) => number !== null)
}

/** The low word of an argument; both supported architectures are little-endian. */
function argumentOffset(index: number): number {
  return 16 + 8 * index
}

function assemble(steps: readonly FilterStep[]): Buffer {
  const code = Buffer.alloc(steps.length * 8)
  steps.forEach((step, index) => {
    const distance = (label: JumpLabel | undefined): number =>
      label === undefined ? 0 : steps.findIndex((candidate) => candidate.label === label) - index - 1
    code.writeUInt16LE(step.code, index * 8)
    code.writeUInt8(distance(step.matched), index * 8 + 2)
    code.writeUInt8(distance(step.unmatched), index * 8 + 3)
    code.writeUInt32LE(step.k >>> 0, index * 8 + 4)
  })
  return code
}
