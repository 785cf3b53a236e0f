import { fullCard } from '@countersign/cli'
import { type ApprovalView, type Card, chatCard, type TriedCall } from '@countersign/contract'
import { builtinTools } from '@countersign/tools'
import { exampleFor } from '@countersign/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExampleInstallation, openExampleInstallation } from './example-installation.ts'

let example: ExampleInstallation

beforeAll(async () => {
  example = await openExampleInstallation()
})
afterAll(() => example?.close())

// Those of nodes are offered where there is a node.
const offered = builtinTools.filter(({ hidden, runs }) => !hidden && runs !== 'node').map(({ name }) => name)

describe('the card of every tool', () => {
  test.each(offered)('%s', async (name) => {
    const args = JSON.stringify(exampleFor(name, example.ids))
    const tried = await example.gateway.client.tryTool(name, args)
    await expect(`${tried.map(shown).join('\n\n')}\n`).toMatchFileSnapshot(`./golden/cards/${name}.txt`)
  })

  test('is made without doing anything', async () => {
    // What waits for a person waits a little longer with every look.
    const look = async () => (await example.gateway.client.runs()).map(({ waitedMs: _waited, ...run }) => run)
    const runs = await look()
    await example.gateway.client.tryTool('write_file', JSON.stringify({ path: 'new.txt', content: 'x' }))
    expect(await look()).toEqual(runs)
    const [tried] = await example.gateway.client.tryTool('read_file', JSON.stringify({ path: 'new.txt' }))
    expect(tried).toMatchObject({ kind: 'impossible' })
  })
})

const now = new Date('2026-03-01T12:00:00.000Z')

function shown(tried: TriedCall): string {
  if (tried.kind === 'impossible') return `Impossible: ${normal(tried.reason)}`
  const approval = approvalWith(tried.card)
  return normal(
    [
      `The answer of policy: ${tried.decision}`,
      '',
      '--- In a terminal',
      fullCard(approval, { paint: (_, text) => text, moment: { now, zone: 'UTC' } }),
      '',
      '--- In a chat',
      chatCard(approval, { now, review: 'https://house.example/approvals/K7Q' }),
    ].join('\n'),
  )
}

function approvalWith(card: Card): ApprovalView {
  return {
    id: 'apr_1' as ApprovalView['id'],
    code: 'K7Q',
    state: 'pending',
    digest: '',
    card,
    asks: { en: { why: card.why.reason, stops: '' }, de: { why: card.why.reason, stops: '' } },
    agentSays: '',
    asked: [],
    replaces: null,
    options: [{ scope: 'once', sentence: 'this call only' }],
    session: 'ses_1' as ApprovalView['session'],
    run: 'run_1' as ApprovalView['run'],
    call: 'cal_1' as ApprovalView['call'],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 15 * 60_000).toISOString(),
    decidedAt: null,
    decidedBy: null,
    reason: null,
    receipt: null,
  }
}

/** What differs from installation to installation is told as a word. */
function normal(text: string): string {
  return text
    .replaceAll(example.installation.home, '<home>')
    .replaceAll(new URL(example.installation.model.url).host, '<model service>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(/\b([a-z]+)_[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/g, '$1_<id>')
    .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/(?<=next )\d{4}-\d\d-\d\d \d\d:\d\d(?:, \d{4}-\d\d-\d\d \d\d:\d\d)*/g, '<times>')
    .replaceAll(/[ \t]+$/gm, '')
}
