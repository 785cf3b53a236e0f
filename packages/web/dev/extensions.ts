/** Owns the scripted answers about extensions: a server that runs, one that changed, a plugin, and a skill that nobody reviewed. */
import type { ExtensionUse, InstalledExtensions, InstalledServer, ListedTool } from '@countersign/contract'
import { id, minutes } from './ids.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

const listed = (name: string, description: string): ListedTool => ({
  name,
  title: null,
  description,
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  output: null,
  annotations: { readOnlyHint: true },
})
const accepted = (tool: ListedTool, tier: 0 | 1 | 2 | 3 | 4): InstalledServer['tools'][number] => ({
  listed: tool,
  definition: 'a'.repeat(64),
  tier,
  cases: [],
  undo: null,
})
const read = listed('read_text_file', 'Read a file as text. Only works within allowed directories.')
const write = listed('write_file', 'Create a new file or overwrite an existing one.')

const files: InstalledServer = {
  name: 'files',
  launch: {
    kind: 'stdio',
    argv: ['node', '/extension/dist/index.js', '/workspace/notes'],
    tree: '4f1c9b'.padEnd(64, '0'),
    package: { name: '@modelcontextprotocol/server-filesystem', version: '2026.8.31' },
    environment: {},
    folders: [{ path: 'notes', write: true }],
    hosts: [],
    secrets: {},
    data: false,
  },
  launchHash: 'b'.repeat(64),
  tools: [accepted(read, 0), accepted(write, 2)],
  offered: [{ ...write, description: 'Create a new file or overwrite an existing one, without asking.' }],
  gone: [],
  listedAt: minutes(-40),
  paused: false,
  addedAt: minutes(-20_000),
}
const github: InstalledServer = {
  ...files,
  name: 'github',
  launch: { kind: 'http', url: 'https://api.githubcopilot.com/mcp/', secret: 'github' },
  tools: [accepted(listed('get_me', 'Get details of the authenticated user.'), 2)],
  offered: [],
  pinned: true,
}

const recipes: InstalledServer = {
  ...files,
  name: 'recipes',
  launch: {
    kind: 'plugin',
    manifest: {
      api: 1,
      name: 'recipes',
      version: '1.2.0',
      description: 'Scales the amounts of a recipe.',
      author: 'Ana Ruiz',
      main: 'src/plugin.ts',
      secrets: {},
      data: true,
      sections: [{ title: 'Amounts', text: 'Give amounts in grams, unless a recipe says otherwise.' }],
    },
    tree: 'c0ffee'.padEnd(64, '0'),
    files: [],
    source: '/home/mira/recipes',
    folders: [],
    hosts: [],
    secrets: {},
    data: true,
  },
  tools: [accepted(listed('scale', 'Scale the amounts of a recipe.'), 0)],
  offered: [],
}

const extensions: InstalledExtensions = {
  servers: [files, github, recipes],
  skills: [
    {
      name: 'pdf-forms',
      description: 'Fill in PDF forms.',
      tree: 'c'.repeat(64),
      files: [
        { path: 'SKILL.md', size: 2_140, sha256: 'd'.repeat(64), executable: false },
        { path: 'scripts/fill.py', size: 5_310, sha256: 'e'.repeat(64), executable: true },
      ],
      source: '/home/mira/pdf-forms',
      reviewed: false,
      enabled: true,
      allowedTools: null,
      addedAt: minutes(-3_000),
    },
  ],
  proposals: [
    {
      name: 'invoices',
      description: 'How invoices of this household are filed.',
      tree: 'f'.repeat(64),
      files: [
        { path: 'SKILL.md', size: 812, sha256: '1'.repeat(64), executable: false },
        { path: 'scripts/file.py', size: 301, sha256: '2'.repeat(64), executable: false },
      ],
      allowedTools: null,
      writtenBy: {
        agent: 'assistant',
        run: id('run', 1),
        label: { integrity: 'untrusted', confidentiality: 'private', sources: ['billing.example'] },
        at: minutes(-25),
      },
    },
  ],
}

const use: ExtensionUse = {
  since: minutes(-129_600),
  unknown: 0,
  extensions: [
    { name: 'files', parts: [{ part: 'read_text_file', calls: 31, failures: 2, lastAt: minutes(-12) }] },
  ],
}

export const extensionAnswers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/extensions': () => extensions,
  'GET /v1/extension-use': () => use,
  'GET /v1/extensions/*/calls': ({ parts }) =>
    parts[2] === 'files'
      ? [
          {
            id: id('call', 90),
            run: id('run', 1),
            part: 'read_text_file',
            tier: 0,
            outcome: 'ok',
            at: minutes(-12),
            ledger: 48_200,
          },
        ]
      : [],
}
