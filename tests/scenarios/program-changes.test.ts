import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  approvalFor,
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let installation: Installation
let gateway: GatewayProcess
const at = (path: string) => join(installation.paths.workspace, path)

beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults }) => {
      if (lastResults.length > 0) return { text: lastResults.map(({ text }) => text).join('\n---\n') }
      const commands = JSON.parse(lastUser) as string[]
      return { calls: commands.map((command) => ({ name: 'execute_shell', args: { command } })) }
    },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())
beforeEach(() => {
  writeFileSync(at('report.txt'), 'first\nsecond\n')
  writeFileSync(at('old.txt'), 'old')
  chmodSync(at('old.txt'), 0o644)
  rmSync(at('operators'), { force: true })
  symlinkSync('/etc', at('operators'))
})

async function run(...commands: string[]) {
  const text = JSON.stringify(commands)
  const admitted = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text,
    mode: 'auto',
  })
  return settledRun(gateway.client, admitted.run ?? '', 'either')
}

test('a program that changes nothing runs without a question', async () => {
  const { run: ended, calls, approvals } = await run('wc -l report.txt')
  expect(approvals).toEqual([])
  expect(calls).toMatchObject([{ tool: 'execute_shell', tier: 0, outcome: 'ok' }])
  expect(ended.text).toContain('2 report.txt')
})

test('what it makes and changes is taken over without a question, and can be undone', async () => {
  const detail = await run('mkdir -p out && echo sum > out/sum.txt && echo third >> report.txt')
  expect(detail.approvals).toEqual([])
  expect(detail.calls).toMatchObject([
    { tool: 'execute_shell', tier: 0, outcome: 'ok', undoable: false },
    { tool: 'take_over_changes', tier: 1, outcome: 'ok', undoable: true },
  ])
  expect(readFileSync(at('report.txt'), 'utf8')).toBe('first\nsecond\nthird\n')
  expect(readFileSync(at('out/sum.txt'), 'utf8')).toBe('sum\n')
  expect(detail.run.text).toMatch(/\[exit 0, \d+ ms\]\n\[Kept the 2 changes of the program\]/)

  const undo = await gateway.client.undoRun(detail.run.id)
  await settledRun(gateway.client, undo.run)
  expect(readFileSync(at('report.txt'), 'utf8')).toBe('first\nsecond\n')
  expect(existsSync(at('out'))).toBe(false)
})

test('a later program of the same turn sees what an earlier one left', async () => {
  const { calls, run: ended } = await run('echo one > step.txt', 'cat step.txt && echo two >> step.txt')
  expect(calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect(ended.text).toContain('one\n\n[exit 0,')
  expect(readFileSync(at('step.txt'), 'utf8')).toBe('one\ntwo\n')
})

test.each([
  ['a deletion', 'rm old.txt', 2, 'removed old.txt'],
  [
    'a program that it makes',
    'echo echo > tool && chmod +x tool',
    2,
    'made tool (5 B, can be run as a program)',
  ],
  ['a mode that runs', 'chmod +x old.txt', 2, 'changed old.txt (3 B, can be run as a program, mode 644'],
  [
    'a mode that opens',
    'chmod 666 old.txt',
    2,
    'changed old.txt (3 B, mode 644 becomes 666, opens it to other users)',
  ],
  ['a hook', 'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit', 3, 'made .git/hooks/pre-commit'],
  ['a link that leads out', 'ln -s /etc/passwd names', 3, 'made names (link, leads to /etc/passwd)'],
  ['a link through a link', 'ln -s operators/ssl deep', 3, 'made deep (link, leads to operators/ssl)'],
  ['a setting of a tool', 'echo {} > package.json', 2, 'made package.json'],
])('asks about %s with the real list, and keeps nothing that is denied', async (_, command, tier, words) => {
  const before = readdirSync(installation.paths.workspace).toSorted()
  const detail = await run(command)
  const [approval] = detail.approvals
  expect(detail.run.state).toBe('parked')
  expect(approval?.card).toMatchObject({ tool: 'take_over_changes', tier, preview: { kind: 'text' } })
  expect(approval?.card.preview).toMatchObject({ text: expect.stringContaining(words) })
  expect(readdirSync(installation.paths.workspace).toSorted()).toEqual(before)
  await gateway.client.decide(approval?.id ?? '', { verdict: 'deny', reason: 'not that', stop: false })
  const ended = await settledRun(gateway.client, detail.run.id)
  expect(readdirSync(installation.paths.workspace).toSorted()).toEqual(before)
  expect(lstatSync(at('old.txt')).mode & 0o111).toBe(0)
  expect(ended.run.text).toContain('[Nothing that it changed was kept: The operator denied this: not that]')
})

test('what was approved is taken over as it was shown', async () => {
  const detail = await run('rm old.txt; sed -i s/second/2nd/ report.txt')
  const [approval] = detail.approvals
  expect(approval?.card.preview).toMatchObject({
    text: 'removed old.txt\nchanged report.txt (10 B)\n    line 2:\n    -second\n    +2nd',
  })
  expect(existsSync(at('old.txt'))).toBe(true)
  await approve(installation, gateway.client, approval?.id ?? '')
  const ended = await settledRun(gateway.client, detail.run.id)
  expect(ended.calls).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok', undoable: true }])
  expect(existsSync(at('old.txt'))).toBe(false)
  expect(readFileSync(at('report.txt'), 'utf8')).toBe('first\n2nd\n')
})

test('nothing is taken over where somebody changed a file since', async () => {
  const detail = await run('rm old.txt; echo x >> report.txt')
  writeFileSync(at('report.txt'), 'mine')
  await approve(installation, gateway.client, detail.approvals[0]?.id ?? '')
  const ended = await settledRun(gateway.client, detail.run.id)
  expect(ended.calls[1]?.outcome).toBe('refused')
  expect(readFileSync(at('report.txt'), 'utf8')).toBe('mine')
  expect(existsSync(at('old.txt'))).toBe(true)
})

test('a folder that somebody closed since stays closed', async () => {
  mkdirSync(at('box'), { mode: 0o755 })
  const detail = await run('rm old.txt; chmod 750 box; echo x > box/new.txt')
  chmodSync(at('box'), 0o700)
  await approve(installation, gateway.client, detail.approvals[0]?.id ?? '')
  const ended = await settledRun(gateway.client, detail.run.id)
  expect(ended.calls[1]?.outcome).toBe('refused')
  expect(lstatSync(at('box')).mode & 0o777).toBe(0o700)
  expect(existsSync(at('old.txt'))).toBe(true)
})

test('what is held survives a restart; bytes that changed meanwhile are not taken over', async () => {
  const kept = await run('rm old.txt')
  const swapped = await run('rm old.txt; echo shown > fresh.txt')
  await gateway.kill()
  const held = join(installation.paths.executor, 'held')
  for (const name of readdirSync(held)) {
    const file = join(held, name, 'changes', 'fresh.txt')
    if (existsSync(file)) writeFileSync(file, 'other')
  }
  gateway = await installation.start()
  const answer = async (id: string) => {
    const detail = await gateway.client.approval(id)
    await gateway.client.decide(detail.approval.id, approvalFor(installation, detail))
  }
  await answer(swapped.approvals[0]?.id ?? '')
  const refused = await settledRun(gateway.client, swapped.run.id)
  expect(refused.calls[1]?.outcome).toBe('failed')
  expect(existsSync(at('old.txt'))).toBe(true)
  expect(existsSync(at('fresh.txt'))).toBe(false)
  await answer(kept.approvals[0]?.id ?? '')
  const ended = await settledRun(gateway.client, kept.run.id)
  expect(ended.calls[1]?.outcome).toBe('ok')
  expect(existsSync(at('old.txt'))).toBe(false)
})
