/**
 * Another user of the computer reads with what programs are started, and signs in as themselves at the address that the
 * operator's browser was started with.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'
import { runCommand } from '../command-line.ts'
import { clientOf, openSigningIn } from '../signing-in.ts'

export const attack: Attack = {
  name: 'sign-in-in-the-process-list',
  promise: 'What a browser is started with for a sign-in lets nobody else end it.',
  mutant: 'browsers-are-told-the-address',
  async run(stage) {
    const { scene, provider, add } = await openSigningIn(stage, [])
    await add('home', clientOf(provider))
    const folder = mkdtempSync(join(tmpdir(), 'countersign-opener-'))
    stage.afterwards(() => rmSync(folder, { recursive: true, force: true }))
    const list = join(folder, 'list')
    const page = join(folder, 'page')
    // Starts no browser, keeps what is told to everybody, and what the operator's own browser reads.
    const opener = join(folder, 'xdg-open')
    writeFileSync(opener, `#!/bin/sh\ncat "$1" > '${page}' 2>/dev/null || true\nprintf %s "$1" > '${list}'\n`)
    chmodSync(opener, 0o755)
    const command = runCommand(['mail', 'sign-in', 'home'], {
      environment: {
        COUNTERSIGN_HOME: scene.installation.home,
        DISPLAY: ':99',
        PATH: `${folder}:${process.env['PATH']}`,
      },
      nodeArguments: stage.nodeArguments,
    })
    await until(() => existsSync(list), 60_000)
    const started = readFileSync(list, 'utf8')
    const address = (text: string) => /http:\/\/127\.0\.0\.1:\d+\/authorize[^"\s]+/.exec(text)?.[0]
    const seen = address(started)
    // Whoever comes first is signed in.
    if (seen !== undefined) {
      provider.set({ user: 'eve@evil.test' })
      await fetch(seen)
    } else await fetch(address(readFileSync(page, 'utf8')) ?? 'http://127.0.0.1:1/')
    const { exit } = await command
    return {
      open: seen !== undefined,
      control: exit === 0,
      saw: `the browser was started with ${seen === undefined ? 'a file' : 'the address'}; exit ${exit}`,
    }
  },
}
