/**
 * Owns proxies with TLS in front of a gateway, as the operator's guide sets them up, on a port of this machine: caddy and
 * nginx are real, Tailscale Serve is a stand-in.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export type ProxyKind = 'caddy' | 'nginx' | 'tailscale'

export interface ReverseProxy {
  readonly origin: string
  readonly port: number
  /** Of the authority that signed its certificate. */
  readonly ca: string
  close(): Promise<void>
}

export const proxyName = 'home.countersign.test'

/** Where a proxy will be, so that the gateway can be told before either is started. */
export async function plannedOrigin(): Promise<{ readonly origin: string; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return { origin: `https://${proxyName}:${address.port}`, port: address.port }
}

export async function startProxy(
  kind: ProxyKind,
  { origin, port }: { readonly origin: string; readonly port: number },
  gatewayUrl: string,
): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${kind}-`))
  const to = new URL(gatewayUrl).host
  const { program, args, ca } = programs[kind]({ folder, origin, port, to })
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4_000)))
  const close = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (let tries = 0; !(await listens(port)); tries += 1) {
      if (child.exitCode !== null || tries > 200) throw new Error(`${kind} did not start: ${said}`)
      await wait(50)
    }
    return { origin, port, ca: readFileSync(ca, 'utf8'), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface ProxyPlan {
  readonly folder: string
  readonly origin: string
  readonly port: number
  readonly to: string
}

interface ProxyProgram {
  readonly program: string
  readonly args: readonly string[]
  readonly ca: string
}

function caddy({ folder, origin, to }: ProxyPlan): ProxyProgram {
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
  admin off
  auto_https disable_redirects
  skip_install_trust
}
${origin} {
  tls internal
  bind 127.0.0.1
  reverse_proxy ${to}
}
`,
  )
  const ca = join(folder, 'caddy/pki/authorities/local/root.crt')
  return { program: 'caddy', args: ['run', '--config', file, '--adapter', 'caddyfile'], ca }
}

function makeCertificate(folder: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${proxyName}`, '-addext', `subjectAltName=DNS:${proxyName}`]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...made, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { key, certificate }
}

function tailscale({ folder, port, to }: ProxyPlan): ProxyProgram {
  const { key, certificate } = makeCertificate(folder)
  const file = fileURLToPath(new URL('./tailscale-serve.ts', import.meta.url))
  return { program: process.execPath, args: [file, String(port), key, certificate, to], ca: certificate }
}

function nginx({ folder, port, to }: ProxyPlan): ProxyProgram {
  const { key, certificate } = makeCertificate(folder)
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join('\n  ')
  writeFileSync(
    file,
    `daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary}
  map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      '';
  }
  server {
    listen 127.0.0.1:${port} ssl;
    server_name ${proxyName};
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    location / {
      proxy_pass http://${to};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`,
  )
  return { program: '/usr/sbin/nginx', args: ['-c', file, '-e', 'stderr', '-p', folder], ca: certificate }
}

const programs = { caddy, nginx, tailscale } as const

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
