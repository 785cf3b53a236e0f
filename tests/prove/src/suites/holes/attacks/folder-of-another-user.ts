/** Another Unix user takes the folders in which running gateways are noted, relays to the gateway, and waits for `open`. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Attack } from '../attack.ts'
import { fieldOf, runCommand } from '../command-line.ts'

const otherUser = fileURLToPath(new URL('../other-user.ts', import.meta.url))
/** Users of every Debian: `backup` is attacked by `nobody`. */
const victim = { uid: 34, gid: 34 }
const attacker = { uid: 65_534, gid: 65_534 }

interface Told {
  readonly kind: 'ready' | 'relay' | 'relayed'
  readonly relay?: string
  readonly answers?: number
}

export const attack: Attack = {
  name: 'folder-of-another-user',
  promise: 'A folder that another user prepared is not used, and leads no client to another address.',
  mutant: 'foreign-folders-trusted',
  async run(stage) {
    if (process.getuid?.() !== 0)
      return { open: false, control: true, saw: 'not tried: two Unix users need a run as root' }
    const base = mkdtempSync(join(tmpdir(), 'countersign-users-'))
    stage.afterwards(() => rmSync(base, { recursive: true, force: true }))
    chmodSync(base, 0o755)
    const home = folder(base, 'victim', victim.uid, 0o700)
    const runtime = folder(base, 'runtime', attacker.uid, 0o777)
    const shared = folder(base, 'shared', 0, 0o1777)
    const environment = {
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
      TMPDIR: shared,
      COUNTERSIGN_PORT: '0',
      COUNTERSIGN_VAULT_KEY: 'file',
    }
    const { nodeArguments } = stage
    const command = (...args: string[]) => runCommand(args, { environment, nodeArguments, user: victim })

    const prepared = [runtime, join(shared, `countersign-${victim.uid}`)]
    const child = spawn(process.execPath, [otherUser, String(victim.uid), ...prepared], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
      ...attacker,
    })
    stage.afterwards(() => child.kill())
    const told = toldBy(child.stdout)
    await told('ready')
    const up = await command('up', '--json', '--wait', '60s')
    stage.afterwards(() => command('down'))
    const url = fieldOf(up.output, 'url')
    if (up.exit !== 0) return { open: false, control: false, saw: up.output + up.errors }
    const { relay = '' } = await told('relay')
    const status = await command('status', '--json')
    const opened = await command('open', '--wait', '1s')
    const relayed = told.last('relayed')?.answers ?? 0
    const held = prepared.flatMap(notesIn).length
    const { port } = new URL(url)
    return {
      open: held > 0 || relayed > 0 || `${status.output}${opened.errors}`.includes(new URL(relay).port),
      control:
        fieldOf(status.output, 'status', 'url') === url &&
        opened.errors.includes(`http://localhost:${port}/#pair=`),
      saw: `${held} notes of the victim in the folder, ${relayed} answers through the relay`,
    }
  },
}

function folder(base: string, name: string, owner: number, mode: number): string {
  const path = join(base, name)
  mkdirSync(path)
  chownSync(path, owner, owner)
  chmodSync(path, mode)
  return path
}

/** What the victim's gateway left in a folder of the attacker. */
function notesIn(prepared: string): string[] {
  return readdirSync(join(prepared, 'countersign', 'gateways')).filter((name) => name !== '99999999.json')
}

/** Waits for the first line of a kind; `last` is the newest so far. */
function toldBy(output: NodeJS.ReadableStream) {
  const lines: Told[] = []
  const waiting = new Map<string, (told: Told) => void>()
  createInterface({ input: output }).on('line', (line) => {
    const told = JSON.parse(line) as Told
    lines.push(told)
    waiting.get(told.kind)?.(told)
  })
  const first = (kind: Told['kind']): Promise<Told> => {
    const known = lines.find((each) => each.kind === kind)
    return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(kind, resolve))
  }
  return Object.assign(first, { last: (kind: Told['kind']) => lines.findLast((each) => each.kind === kind) })
}
