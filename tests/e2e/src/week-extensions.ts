/** Owns what is let in from outside during the week: a real server of npm that was used and one skill that nobody reviewed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type JsonObject,
  nothingGiven,
  serverPreset,
  skillReport,
  suggestedTool,
} from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { filesInFolder } from '@countersign/contract/skills'
import { copyPackage } from '@countersign/executor/package-tree'
import { approve, type GatewayProcess, type Installation, settledRun } from '@countersign/harness'

const packageName = '@modelcontextprotocol/server-filesystem'
const skillText = `---
name: club-letters
description: Writes letters of the garden club.
---

# Letters of the club

Begin with the name of the member. End with the day of the next meeting. Read
\`references/tone.md\` before the first letter, and never write more than a page.
`

export async function letExtensionsIn(installation: Installation, gateway: GatewayProcess): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'week-extensions-'))
  try {
    await letServerIn(installation, gateway, join(folder, 'files'))
    await letSkillIn(installation, gateway, join(folder, 'club-letters'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function letServerIn(installation: Installation, gateway: GatewayProcess, from: string): Promise<void> {
  const program = copyPackage(packageName, from)
  const tree = await readTree(from)
  if (tree.kind === 'refused') throw new Error(tree.reason)
  const launch = {
    kind: 'stdio',
    argv: ['node', `/extension/${program}`, '/workspace/books'],
    tree: tree.sha256,
    package: { name: packageName, version: '2026.8.31' },
    ...nothingGiven,
    folders: [{ path: 'books', write: false }],
  }
  const byHand = (tool: string, args: object) => calledByHand(installation, gateway, tool, args)
  await byHand('add_server', { name: 'files', launch, from, replaces: null })
  const entry = async () => (await gateway.client.extensions()).servers[0]
  await byHand('look_at_server', { server: 'files', launch: (await entry())?.launchHash ?? '' })
  const preset = serverPreset('filesystem')
  const offered = (await entry())?.offered ?? []
  const tools = offered
    .filter(({ name }) =>
      ['read_text_file', 'list_directory', 'directory_tree', 'search_files'].includes(name),
    )
    .map((tool) => ({ tool, ...suggestedTool(tool, preset), before: null }))
  await byHand('accept_server_tools', { server: 'files', tools, drop: [] })
  for (const path of ['/workspace/books', '/workspace/books/2026-08'])
    await byHand('files__list_directory', { path })
}

async function letSkillIn(installation: Installation, gateway: GatewayProcess, from: string): Promise<void> {
  mkdirSync(join(from, 'references'), { recursive: true })
  writeFileSync(join(from, 'SKILL.md'), skillText)
  writeFileSync(join(from, 'references', 'tone.md'), 'Warm, short, and no more than one joke.\n')
  const found = await filesInFolder(from)
  const tree = await readTree(from)
  if (found.kind === 'refused' || tree.kind === 'refused') throw new Error('the skill cannot be read')
  await calledByHand(installation, gateway, 'add_skill', {
    name: 'club-letters',
    files: tree.files as unknown as JsonObject[],
    text: skillText,
    report: skillReport(found.files),
    from,
    source: '/home/mira/club-letters',
    replaces: null,
  })
}

/** What it asks is approved by the device of the host. */
async function calledByHand(
  installation: Installation,
  { client }: GatewayProcess,
  tool: string,
  args: object,
): Promise<void> {
  const { run } = await client.callTool(tool, JSON.stringify(args))
  const { approvals } = await settledRun(client, run, 'either', 120_000)
  for (const { id } of approvals) await approve(installation, client, id)
  const { calls } = await settledRun(client, run, 'stopped', 120_000)
  const [call] = calls
  if (call?.outcome !== 'ok') throw new Error(`${tool}: ${call?.outcome ?? ''} ${call?.result ?? ''}`)
}
