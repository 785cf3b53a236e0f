import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attachment, attachmentOf, attachmentPath } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  countersign,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  compoundOf,
  docxOf,
  pptxOf,
  xlsxOf,
} from '../../packages/executor/src/documents/testing/office-file.ts'

let installation: Installation
let gateway: GatewayProcess

/** A model that does as it is told of a file: it reads it with the tool that is named there, and tells what it read. */
beforeAll(async () => {
  installation = await openInstallation({
    script: ({ lastUser, lastResults, messages }) => {
      const [result] = lastResults
      if (result) return { text: `It says: ${result.text}` }
      if (lastUser.startsWith('Note'))
        return { calls: [{ name: 'write_file', args: { path: 'own.sh', content: 'as it said' } }] }
      const told = messages.findLast(({ role }) => role === 'user')?.text ?? ''
      const [, path, tool] = /- (attachments\/\S+) \(.*read it with the tool (\w+)$/m.exec(told) ?? []
      if (path === undefined || tool === undefined) return { text: 'Nothing to read.' }
      return { calls: [{ name: 'use_tool', args: { tool, args: { path } } }] }
    },
  })
  gateway = await installation.start()
})
afterAll(() => installation?.close())

async function attach(name: string, bytes: Buffer): Promise<Attachment> {
  const path = attachmentPath(name, sha256Hex(bytes))
  const args = JSON.stringify({ path, base64: bytes.toString('base64') })
  await settledRun(gateway.client, (await gateway.client.callTool('write_binary_file', args)).run)
  return attachmentOf({ path, name, sha256: sha256Hex(bytes), bytes: bytes.length })
}

async function say(text: string, attachments: Attachment[], session: string | null = null) {
  const message = { key: crypto.randomUUID(), session, text, mode: 'auto', attachments } as never
  const sent = await gateway.client.send(message)
  return { ...(await settledRun(gateway.client, sent.run ?? '', 'either')), session: sent.session }
}

test.each([
  ['report.docx', docxOf(['Twelve chairs for Anna']), 'Twelve chairs for Anna'],
  [
    'sums.xlsx',
    xlsxOf(
      [{ name: 'May', rows: '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>40</v></c></row>' }],
      ['rent'],
    ),
    '[sheet 1 of 1: May]\n2\trent\t40',
  ],
  [
    'talk.pptx',
    pptxOf([{ title: 'Welcome', body: 'One', notes: 'Smile' }]),
    '# Welcome\n\nOne\n\n[notes] Smile',
  ],
])(
  '%s that is attached reaches the model as text, with the label of a stranger',
  async (name, bytes, words) => {
    const file = await attach(name, bytes)
    const { run, calls, approvals, session } = await say('What does it say?', [file])
    expect(run.text).toContain(words)
    expect(approvals).toEqual([])
    expect(calls.map(({ tool, tier, outcome }) => [tool, tier, outcome])).toEqual([
      ['read_document', 0, 'ok'],
    ])
    expect((await say('Note it.', [], session)).approvals).toHaveLength(1)
  },
)

test.each([
  ['locked.docx', compoundOf('EncryptedPackage'), 'It is protected by a password. Save a copy without one'],
  ['broken.xlsx', xlsxOf([{ name: 'May', rows: '' }]).subarray(0, 700), 'It is damaged: its end is missing.'],
])('%s says what is wrong with it and what to do', async (name, bytes, words) => {
  const { run, calls } = await say('What does it say?', [await attach(name, bytes)])
  expect(calls.map(({ outcome }) => outcome)).toEqual(['failed'])
  expect(run.text).toContain(words)
})

test('a document goes with a question in the terminal', async () => {
  const path = join(installation.home, 'offer.docx')
  writeFileSync(path, docxOf(['Forty tables for Bob']))
  const stdout = await countersign(installation, ['ask', 'What does it say?', '--attach', path])
  expect(stdout).toContain('It says: Forty tables for Bob')
})
