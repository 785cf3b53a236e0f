/** Makes the folder of a new plugin, ready to be a repository: a tool that works, its manifest, its tests. Replaces nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pluginApi, pluginFile, ServerName } from '@countersign/contract'
import { linkProduct } from '../link.ts'
import type { ToolNotFound } from '../loaded-tool.ts'
import type { NewPluginRequest } from '../request.ts'
import type { ScaffoldResult } from '../scaffold.ts'

export function scaffoldPlugin({ name, folder, channel }: NewPluginRequest): ScaffoldResult | ToolNotFound {
  if (!ServerName.safeParse(name).success)
    return {
      kind: 'failed',
      message: `${JSON.stringify(name)} is no name for a plugin.`,
      next: 'Use lower case words with a hyphen between two, beginning with a letter, at most 24 characters: recipe-scale.',
    }
  const target = resolve(folder, name)
  if (existsSync(target))
    return {
      kind: 'failed',
      message: `${target} exists already. Nothing was written.`,
      next: 'Take another name, or another place with --folder.',
    }
  const files = channel ? channelFiles(name) : filesOf(name)
  for (const [path, { text }] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), text, { flag: 'wx' })
  }
  linkProduct(target)
  const told = Object.entries(files).map(([path, { about }]) => ({ path, about }))
  return { kind: 'made', name, folder: target, files: told }
}

type ScaffoldFiles = Readonly<Record<string, { readonly text: string; readonly about: string }>>

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** The example is what its author begins with: it passes the cases. */
function channelFiles(name: string): ScaffoldFiles {
  const published = new URL('./plugin-notes/', import.meta.url)
  const example = existsSync(published)
    ? published
    : new URL('../../../../examples/plugin-notes/', import.meta.url)
  const textOf = (path: string) => readFileSync(new URL(path, example), 'utf8')
  const manifest = JSON.parse(textOf(pluginFile)) as object
  const own = { name, version: '0.1.0', description: 'A channel to a platform of ours.', author: 'Your name' }
  return {
    'src/plugin.ts': { text: textOf('src/plugin.ts'), about: 'the channel' },
    'test/platform.ts': {
      text: textOf('test/platform.ts'),
      about: 'its platform on this computer, for the cases',
    },
    [pluginFile]: {
      text: json({ ...manifest, ...own }),
      about: 'what it is and asks for; the card shows it',
    },
    'README.md': { text: readmeOf(name, 'it carries notes.'), about: 'for people who look at it' },
    ...ownFiles(name),
  }
}

function ownFiles(name: string): ScaffoldFiles {
  return {
    'package.json': {
      text: json({ name, private: true, type: 'module', scripts: { test: 'node --test' } }),
      about: 'so that node --test runs them',
    },
    '.gitignore': { text: 'node_modules/\n*.tgz\n', about: 'what is of this computer only' },
  }
}

function filesOf(name: string): ScaffoldFiles {
  return {
    'src/plugin.ts': { text: source, about: 'its tools' },
    'test/plugin.test.ts': { text: tests, about: 'its tests' },
    [pluginFile]: { text: json(manifestOf(name)), about: 'what it is and asks for; the card shows it' },
    'README.md': {
      text: readmeOf(name, 'it scales the amounts of a recipe.'),
      about: 'for people who look at it',
    },
    ...ownFiles(name),
  }
}

/** Apart from the templates, so that none of their lines is taken for an import of this file. */
const authorApi = `'countersign/tools'`

const source = `/** Scales amounts, until its author knows better. It reaches nothing: no host, no file, no secret. */
import { pluginTool, z } from ${authorApi}

export default [
  pluginTool({
    name: 'scale',
    // Agents find the tool by these words.
    description: 'Scale the amounts of a recipe from one number of servings to another.',
    input: z.strictObject({
      amounts: z.array(z.number().nonnegative()).min(1).max(100),
      from: z.number().positive(),
      to: z.number().positive(),
    }),
    // 0 only looks, 1 can be undone, 2 asks a host, 3 is seen by others or permanent, 4 is critical.
    tier: 0,
    example: { amounts: [200, 2], from: 4, to: 6 },
    run: ({ amounts, from, to }) => amounts.map((amount) => String((amount * to) / from)).join(', '),
  }),
]
`

const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callTool } from ${authorApi}
import tools from '../src/plugin.ts'

test('scales every amount', async () => {
  assert.equal(await callTool(tools, 'scale', { amounts: [200, 2], from: 4, to: 6 }), '300, 3')
})

test('refuses servings that are none', async () => {
  await assert.rejects(callTool(tools, 'scale', { amounts: [200], from: 0, to: 6 }), /Wrong arguments/)
})
`

function manifestOf(name: string) {
  return {
    api: pluginApi,
    name,
    version: '0.1.0',
    description: 'Scales the amounts of a recipe.',
    author: 'Your name',
    main: 'src/plugin.ts',
    tools: [
      {
        name: 'scale',
        description: 'Scale the amounts of a recipe from one number of servings to another.',
        input: {
          type: 'object',
          properties: {
            amounts: { minItems: 1, maxItems: 100, type: 'array', items: { type: 'number', minimum: 0 } },
            from: { type: 'number', exclusiveMinimum: 0 },
            to: { type: 'number', exclusiveMinimum: 0 },
          },
          required: ['amounts', 'from', 'to'],
          additionalProperties: false,
        },
        tier: 0,
        example: { amounts: [200, 2], from: 4, to: 6 },
      },
    ],
  }
}

function readmeOf(name: string, what: string): string {
  return `# ${name}

A plugin for [Countersign](https://www.npmjs.com/package/countersign): ${what}

\`\`\`sh
countersign plugin dev .                            # tests it with each change, and keeps the manifest right
countersign plugin test .                           # what everybody should do who looks at it
countersign extension add ${name} --plugin .        # let it in; a card shows what it is and may do
countersign plugin pack .                           # an archive for others
\`\`\`

\`node_modules/countersign\` leads to the Countersign that made this folder. It belongs to this computer, and is no part
of the plugin: leave it out of version control.
`
}
