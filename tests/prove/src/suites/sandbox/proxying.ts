/** Ways to abuse the proxy of a sandbox with network. The canary that answers holds the token. */
import type { EscapeAttempt, SandboxScene } from './attempt.ts'

type Request = (scene: SandboxScene) => string

const connecting = (placeOf: Request): Request => {
  return (scene) => `CONNECT ${placeOf(scene)} HTTP/1.1\\r\\nHost: ${placeOf(scene)}\\r\\n\\r\\n`
}

const tunnels: Readonly<Record<string, Request>> = {
  'another port': connecting(({ forbiddenPort }) => `127.0.0.1:${forbiddenPort}`),
  'another spelling of the host': connecting(({ forbiddenPort }) => `localhost:${forbiddenPort}`),
  'an address with three parts': connecting(({ forbiddenPort }) => `127.1:${forbiddenPort}`),
  'an address as a number': connecting(({ forbiddenPort }) => `2130706433:${forbiddenPort}`),
  'an address in base sixteen': connecting(({ forbiddenPort }) => `0x7f000001:${forbiddenPort}`),
  'an address in base eight': connecting(({ forbiddenPort }) => `0177.0.0.1:${forbiddenPort}`),
  'an address of version six': connecting(({ forbiddenPort }) => `[::1]:${forbiddenPort}`),
  'an address inside another': connecting(({ forbiddenPort }) => `[::ffff:127.0.0.1]:${forbiddenPort}`),
  'an address for any': connecting(({ forbiddenPort }) => `0.0.0.0:${forbiddenPort}`),
  'another host of the loopback': connecting(({ forbiddenPort }) => `127.0.0.2:${forbiddenPort}`),
  'an address of this host': connecting(({ address, tcpPort }) => `${address}:${tcpPort}`),
  'the metadata service': connecting(() => '169.254.169.254:80'),
  'the metadata service by version six': connecting(() => '[::ffff:169.254.169.254]:80'),
  'a user before the host': connecting(
    ({ allowedPort, forbiddenPort }) => `127.0.0.1:${allowedPort}@127.0.0.1:${forbiddenPort}`,
  ),
  'a fragment after the host': connecting(
    ({ allowedPort, forbiddenPort }) => `127.0.0.1:${forbiddenPort}#127.0.0.1:${allowedPort}`,
  ),
  'a path after the host': connecting(
    ({ allowedPort, forbiddenPort }) => `127.0.0.1:${forbiddenPort}/127.0.0.1:${allowedPort}`,
  ),
  'a port with zeros before it': connecting(({ forbiddenPort }) => `127.0.0.1:00${forbiddenPort}`),
  'a port that wraps around': connecting(({ forbiddenPort }) => `127.0.0.1:${forbiddenPort + 65_536}`),
  'no port': connecting(() => '127.0.0.1'),
  'a name that has turned': connecting(({ forbiddenPort }) => `rebind.test:${forbiddenPort}`),
  'a name with two answers': connecting(({ forbiddenPort }) => `both.test:${forbiddenPort}`),
  'a name that was never opened': connecting(({ forbiddenPort }) => `inner.test:${forbiddenPort}`),
  'a host header that names the allowed place': ({ allowedPort, forbiddenPort }) =>
    `CONNECT 127.0.0.1:${forbiddenPort} HTTP/1.1\\r\\nHost: 127.0.0.1:${allowedPort}\\r\\n\\r\\n`,
  'a line of its own in the place': ({ allowedPort, forbiddenPort }) =>
    `CONNECT 127.0.0.1:${allowedPort}\\r\\nX: HTTP/1.1\\r\\nCONNECT 127.0.0.1:${forbiddenPort} HTTP/1.1\\r\\n\\r\\n`,
}

const requests: Readonly<Record<string, Request>> = {
  'another port': ({ forbiddenPort }) =>
    plain(`http://127.0.0.1:${forbiddenPort}/`, `127.0.0.1:${forbiddenPort}`),
  'a host header for another port': ({ allowedPort, forbiddenPort }) =>
    plain(`http://127.0.0.1:${allowedPort}/`, `127.0.0.1:${forbiddenPort}`),
  'an address that contradicts its header': ({ allowedPort, forbiddenPort }) =>
    plain(`http://127.0.0.1:${forbiddenPort}/`, `127.0.0.1:${allowedPort}`),
  'a path alone': ({ forbiddenPort }) => plain('/', `127.0.0.1:${forbiddenPort}`),
  'the metadata service': () => plain('http://169.254.169.254/latest/meta-data/', '169.254.169.254'),
  'a file': ({ outside }) => plain(`file://${outside}`, 'localhost'),
  'a user before the host': ({ allowedPort, forbiddenPort }) =>
    plain(`http://127.0.0.1:${allowedPort}@127.0.0.1:${forbiddenPort}/`, `127.0.0.1:${allowedPort}`),
  'two lengths': ({ allowedPort, forbiddenPort }) =>
    `POST http://127.0.0.1:${allowedPort}/ HTTP/1.1\\r\\nHost: 127.0.0.1:${allowedPort}\\r\\nContent-Length: 0\\r\\nContent-Length: 44\\r\\n\\r\\n${plain(`http://127.0.0.1:${forbiddenPort}/`, `127.0.0.1:${forbiddenPort}`)}`,
  'a length and chunks': ({ allowedPort, forbiddenPort }) =>
    `POST http://127.0.0.1:${allowedPort}/ HTTP/1.1\\r\\nHost: 127.0.0.1:${allowedPort}\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n${plain(`http://127.0.0.1:${forbiddenPort}/`, `127.0.0.1:${forbiddenPort}`)}`,
  'a second request after an allowed one': ({ allowedPort, forbiddenPort }) =>
    plain(`http://127.0.0.1:${allowedPort}/`, `127.0.0.1:${allowedPort}`) +
    plain(`http://127.0.0.1:${forbiddenPort}/`, `127.0.0.1:${forbiddenPort}`),
  'an upgrade': ({ allowedPort, forbiddenPort }) =>
    `GET http://127.0.0.1:${allowedPort}/ HTTP/1.1\\r\\nHost: 127.0.0.1:${allowedPort}\\r\\nConnection: Upgrade\\r\\nUpgrade: h2c\\r\\n\\r\\nCONNECT 127.0.0.1:${forbiddenPort} HTTP/1.1\\r\\n\\r\\n`,
  'two hosts': ({ allowedPort, forbiddenPort }) =>
    `GET http://127.0.0.1:${allowedPort}/ HTTP/1.1\\r\\nHost: 127.0.0.1:${allowedPort}\\r\\nHost: 127.0.0.1:${forbiddenPort}\\r\\n\\r\\n`,
}

export const proxying: readonly EscapeAttempt[] = [
  ...Object.entries(tunnels).map(([what, requestOf]) => sending(`a tunnel to ${what}`, requestOf)),
  ...Object.entries(requests).map(([what, requestOf]) => sending(`a request for ${what}`, requestOf)),
  {
    name: 'the socket of the proxy on the host',
    language: 'sh',
    profile: 'network',
    script:
      'find / -xdev -type s 2>/dev/null | grep -v host && echo GOT-OUT; ls -l /proc/self/fd | grep socket | grep -vE " [012] ->" && echo GOT-OUT',
  },
  {
    name: 'more connections than the proxy takes',
    language: 'python',
    profile: 'network',
    script: ({ forbiddenPort }) =>
      `held = []\nfor _ in range(400):\n    try:\n        s = socket.create_connection(('127.0.0.1', 3128), 1)\n        s.send(b'CONNECT 127.0.0.1:${forbiddenPort} HTTP/1.1\\r\\n\\r\\n')\n        held.append(s)\n    except OSError: pass`,
  },
  {
    name: 'a listener in place of the proxy for the host to use',
    language: 'python',
    profile: 'network',
    script:
      "s = socket.socket()\ns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\ns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)\ns.bind(('127.0.0.1', 3128))\ns.listen()\nout()",
  },
]

function plain(target: string, host: string): string {
  return `GET ${target} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n`
}

/** Sends the bytes, then asks again as if a tunnel had been opened. */
function sending(name: string, requestOf: Request): EscapeAttempt {
  return {
    name,
    language: 'python',
    profile: 'network',
    script: (scene) =>
      `s = socket.create_connection(('127.0.0.1', 3128), 3)\ns.settimeout(1.5)\ns.sendall(b'''${requestOf(scene)}''')\nprint(s.recv(4000))\ns.sendall(b'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n')\nprint(s.recv(4000), s.recv(4000))`,
  }
}
