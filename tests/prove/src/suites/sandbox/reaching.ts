/** Ways to reach something that listens on the host, or a network that is not the sandbox's own. */
import type { EscapeAttempt, SandboxScene } from './attempt.ts'

type NetworkTarget = readonly [family: string, host: string, port: (scene: SandboxScene) => number]

const places: readonly NetworkTarget[] = [
  ['AF_INET', '127.0.0.1', (scene) => scene.tcpPort],
  ['AF_INET', '0.0.0.0', (scene) => scene.tcpPort],
  ['AF_INET', '127.1.2.3', (scene) => scene.tcpPort],
  ['AF_INET', 'localhost', (scene) => scene.tcpPort],
  ['AF_INET6', '::1', (scene) => scene.tcp6Port],
  ['AF_INET6', '::', (scene) => scene.tcp6Port],
  ['AF_INET6', '::ffff:127.0.0.1', (scene) => scene.tcpPort],
  ['AF_INET6', 'fe80::1%lo', (scene) => scene.tcp6Port],
]

const plainly: EscapeAttempt[] = (['workspace-write', 'network'] as const).flatMap((profile) =>
  places.map(
    ([family, host, portOf]): EscapeAttempt => ({
      name: `connect to ${host} (${family}, ${profile})`,
      language: 'python',
      profile,
      script: (scene) =>
        `s = socket.socket(socket.${family}, socket.SOCK_STREAM)\ns.settimeout(1)\ns.connect(('${host}', ${portOf(scene)}))\nprint(s.recv(200))`,
    }),
  ),
)

const families: Readonly<Record<string, string>> = {
  AF_PACKET: 'socket.socket(17, socket.SOCK_RAW, 0x0300)',
  'AF_PACKET with datagrams': 'socket.socket(17, socket.SOCK_DGRAM, 0x0300)',
  AF_VSOCK: 'socket.socket(40, socket.SOCK_STREAM).connect((2, 22))',
  AF_UNIX: 'socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)',
  'AF_UNIX with datagrams': 'socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)',
  AF_ALG: 'socket.socket(38, socket.SOCK_SEQPACKET)',
  AF_KEY: 'socket.socket(15, socket.SOCK_RAW, 2)',
  AF_BLUETOOTH: 'socket.socket(31, socket.SOCK_RAW, 1)',
  AF_CAN: 'socket.socket(29, socket.SOCK_RAW, 1)',
  AF_TIPC: 'socket.socket(30, socket.SOCK_RDM)',
  AF_RDS: 'socket.socket(21, socket.SOCK_SEQPACKET)',
  AF_XDP: 'socket.socket(44, socket.SOCK_RAW)',
  AF_SMC: 'socket.socket(43, socket.SOCK_STREAM)',
  AF_NFC: 'socket.socket(39, socket.SOCK_SEQPACKET)',
  'raw IPv4': 'socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)',
  'raw IPv6': 'socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)',
}

const byFamily: EscapeAttempt[] = Object.entries(families).map(
  ([family, expression]): EscapeAttempt => ({
    name: `open a socket of the kind ${family}`,
    language: 'python',
    script: `${expression}\nout('${family}')`,
  }),
)

export const reaching: readonly EscapeAttempt[] = [
  ...plainly,
  ...byFamily,
  {
    name: 'connect to an address of this host',
    language: 'python',
    script: ({ address, tcpPort }) =>
      `s = socket.socket()\ns.settimeout(1)\ns.connect(('${address}', ${tcpPort}))\nout()`,
  },
  {
    name: 'connect to the metadata service of a cloud',
    language: 'python',
    script: "s = socket.socket()\ns.settimeout(1)\ns.connect(('169.254.169.254', 80))\nout()",
  },
  {
    name: 'send a datagram',
    language: 'python',
    script: ({ udpPort, address }) =>
      `for host in ['127.0.0.1', '${address}', '255.255.255.255']:\n    try:\n        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n        s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)\n        s.sendto(b'x', (host, ${udpPort}))\n    except OSError as problem: print(problem)`,
  },
  {
    name: 'send a datagram over IPv6',
    language: 'python',
    script: ({ udpPort }) =>
      `s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)\ns.sendto(b'x', ('::ffff:127.0.0.1', ${udpPort}))`,
  },
  {
    name: 'ask a name server',
    language: 'python',
    script: "print(socket.getaddrinfo('example.org', 80))\nout()",
  },
  {
    name: 'connect to a socket in the workspace',
    language: 'python',
    script: "s = socket.socket(socket.AF_UNIX)\ns.connect('/workspace/host.sock')\nprint(s.recv(200))",
  },
  {
    name: 'connect to a socket in the workspace with a network',
    language: 'python',
    profile: 'network',
    script: "s = socket.socket(socket.AF_UNIX)\ns.connect('/workspace/host.sock')\nprint(s.recv(200))",
  },
  {
    name: 'connect to a socket outside',
    language: 'python',
    script: ({ unixPath }) =>
      `s = socket.socket(socket.AF_UNIX)\ns.connect('${unixPath}')\nprint(s.recv(200))`,
  },
  {
    name: 'connect to a socket without a path',
    language: 'python',
    script: ({ abstractName }) =>
      `s = socket.socket(socket.AF_UNIX)\ns.connect('\\0${abstractName}')\nprint(s.recv(200))`,
  },
  {
    name: 'turn one end of a pair towards a socket of the host',
    language: 'python',
    script:
      "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\ncall(42, a.fileno(), ctypes.c_char_p(struct.pack('<H', 0)), 2)\na.connect('/workspace/host-datagrams.sock')\na.send(b'x')",
  },
  {
    name: 'send a datagram from one end of a pair to a socket of the host',
    language: 'python',
    script:
      "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\na.sendto(b'x', '/workspace/host-datagrams.sock')",
  },
  {
    name: 'disconnect its own streams and turn them towards a socket of the host',
    language: 'python',
    script:
      "for fd in (0, 1, 2):\n    try:\n        s = socket.socket(fileno=os.dup(fd))\n        call(42, s.fileno(), ctypes.c_char_p(struct.pack('<H', 0)), 2)\n        s.connect('/workspace/host.sock')\n        out(fd)\n    except OSError: pass",
  },
  {
    name: 'send a packet from one end of a pair to a socket of the host',
    language: 'python',
    script:
      "for kind in (1, 3, 5):\n    try:\n        a, b = socket.socketpair(socket.AF_UNIX, kind)\n        b.close()\n        a.connect('/workspace/host.sock')\n        out(kind)\n    except OSError: pass",
  },
  {
    name: 'connect from Node',
    language: 'node',
    script: ({ tcpPort, abstractName }) =>
      `for (const to of [{ port: ${tcpPort}, host: '127.0.0.1' }, { path: '/workspace/host.sock' }, { path: '\\0${abstractName}' }]) { const s = require('net').connect(to, () => out(JSON.stringify(to))); s.on('error', () => {}); }`,
  },
  {
    name: 'connect from a shell',
    language: 'sh',
    script: ({ tcpPort }) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${tcpPort} && echo GOT-OUT'`,
  },
  {
    name: 'fetch with a program',
    language: 'sh',
    script: ({ tcpPort, allowedPort }) =>
      `curl -s -m 1 http://127.0.0.1:${tcpPort}/; curl -s -m 1 http://127.0.0.1:${allowedPort}/; curl -s -m 1 --unix-socket /workspace/host.sock http://x/`,
  },
  {
    name: 'move into the network of the first process',
    language: 'python',
    script: "fd = os.open('/proc/1/ns/net', os.O_RDONLY)\nif call(308, fd, 0) == 0: out()",
  },
  {
    name: 'move into the network of a process of the host',
    language: 'sh',
    script: ({ pid, tcpPort }) =>
      `nsenter -t ${pid} -n true && echo GOT-OUT; nsenter -t 1 -a true && echo GOT-OUT; nsenter --net=/proc/1/ns/net curl -s -m 1 http://127.0.0.1:${tcpPort}/`,
  },
  {
    name: 'make a network device',
    language: 'sh',
    script:
      'ip link add d0 type dummy && echo GOT-OUT; ip tuntap add t0 mode tun && echo GOT-OUT; ip link add v0 type veth peer name v1 && echo GOT-OUT; ip addr add 10.9.9.9/24 dev lo && echo GOT-OUT',
  },
  {
    name: 'ask netlink to make a network device',
    language: 'python',
    script:
      "s = socket.socket(16, socket.SOCK_RAW, 0)\ninfo = struct.pack('<HH', 9, 1) + b'dummy\\0\\0\\0'\nlink = struct.pack('<HH', 4 + len(info), 18) + info\nbody = struct.pack('<BxHiII', 0, 0, 0, 0, 0) + link\ns.send(struct.pack('<IHHII', 16 + len(body), 16, 0x605, 1, 0) + body)\nanswer = s.recv(4096)\nif struct.unpack('<i', answer[16:20])[0] == 0: out()",
  },
  {
    name: 'hear of the network of the host',
    language: 'sh',
    script:
      'ls /sys/class/net 2>/dev/null | grep -v "^lo$" && echo GOT-OUT; grep -vE "lo:|Inter|face" /proc/net/dev && echo GOT-OUT; grep -c . /proc/net/unix | grep -vE "^[0-9]$" && echo GOT-OUT',
  },
  {
    name: 'see the listeners of the host',
    language: 'sh',
    script: ({ tcpPort }) =>
      `grep -i ':${tcpPort.toString(16).padStart(4, '0')}' /proc/net/tcp /proc/net/tcp6 /proc/1/net/tcp && echo GOT-OUT`,
  },
  {
    name: 'open the device of a tunnel',
    language: 'sh',
    script:
      'exec 3<>/dev/net/tun && echo GOT-OUT; mkdir -p /tmp/net; mknod /tmp/net/tun c 10 200 && echo GOT-OUT',
  },
  {
    name: 'hear a ring of submitted calls',
    language: 'python',
    script: 'if call(425, 8, ctypes.create_string_buffer(256)) >= 0: out()',
  },
]
