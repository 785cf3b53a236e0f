/** A run saves the attachment of an e-mail that nobody has read, and goes on with what it says. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { homePaths } from '@countersign/contract/node'
import { startMailServers } from '@countersign/executor/mail-servers'
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'

const rule = `@id("mail.unproven")
@why("no listing after words of nobody")
forbid (principal, action == Action::"call", resource == Tool::"list_directory")
when { context.unproven };
`
const letter =
  'From: Ana <ana@kovac.test>\nTo: me@home.test\nSubject: Bill\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the bill.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename="bill.txt"\n\nPay at once.\n--b--\n'

export const attack: Attack = {
  name: 'attachment-of-nobody',
  promise:
    'An attachment is worth no more than the e-mail that it came with: of an unproven sender policy is told.',
  mutant: 'attachments-are-proven',
  async run(stage) {
    const servers = await startMailServers()
    stage.afterwards(() => servers.close())
    const { imap, smtp } = servers.ports
    const home = mkdtempSync(join(tmpdir(), 'holes-mail-'))
    const { policies } = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
    mkdirSync(policies, { recursive: true, mode: 0o700 })
    writeFileSync(join(policies, 'unproven.cedar'), rule, { mode: 0o600 })
    const environment = { COUNTERSIGN_LOCAL_TARGETS: `localhost:${imap},localhost:${smtp}` }
    const scene = await stage.ownScene({ environment, home })
    const { client } = scene.gateway
    const { name, secret: _, ...account } = servers.account('home', 'me@home.test')
    await client.storeMailAccount(name, { ...account, password: servers.password })
    await servers.deliver('me@home.test', letter)
    const idOf = async (): Promise<string> => {
      const { run } = await client.callTool('list_emails', JSON.stringify({ account: 'home' }))
      const { calls } = await settledRun(client, run, 'either')
      return /id (\S+),/.exec(calls[0]?.result ?? '')?.[1] ?? ''
    }
    let emailId = ''
    for (let left = 100; left > 0 && emailId === ''; left -= 1) {
      emailId = await idOf()
      if (emailId === '') await sleep(100)
    }
    const list = { name: 'list_directory', args: {} }
    scene.plan('plain', [[list]])
    scene.plan('save', [[{ name: 'read_email', args: { emailId, attachment: 1, path: 'bill.txt' } }], [list]])
    const plain = await scene.run('plain')
    let saved = await scene.run('save')
    if (saved.detail.run.state === 'parked') saved = await scene.approve(saved)
    const outcomes = [plain, saved].map(({ detail }) => detail.calls.map(({ outcome }) => outcome).join(', '))
    return {
      open: saved.detail.calls[1]?.outcome === 'ok',
      control: plain.detail.calls[0]?.outcome === 'ok' && saved.detail.calls[0]?.outcome === 'ok',
      saw: `without an e-mail: ${outcomes[0]}; after its attachment: ${outcomes[1]}`,
    }
  },
}
