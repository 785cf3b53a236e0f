/** Keeps a shopping list in its own folder, which goes when the plugin is removed. It reaches no host. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PluginContext, pluginTool, z } from 'countersign/tools'

export default [
  pluginTool({
    name: 'add_item',
    description: 'Put something on the shopping list.',
    input: z.strictObject({ item: z.string().trim().min(1).max(200) }),
    tier: 1,
    example: { item: 'flour, 1 kg' },
    async run({ item }, context) {
      const items = [...(await itemsIn(context)), item]
      await writeFile(fileOf(context), JSON.stringify(items))
      return `There are ${items.length} items on the list.`
    },
  }),
  pluginTool({
    name: 'list_items',
    description: 'Say what is on the shopping list.',
    input: z.strictObject({}),
    tier: 0,
    example: {},
    async run(_input, context) {
      const items = await itemsIn(context)
      return items.length === 0 ? 'The list is empty.' : items.map((item) => `- ${item}`).join('\n')
    },
  }),
]

function fileOf({ dataFolder }: PluginContext): string {
  if (dataFolder === null) throw new Error('It needs the folder of its own that it asks for.')
  return join(dataFolder, 'items.json')
}

async function itemsIn(context: PluginContext): Promise<string[]> {
  const text = await readFile(fileOf(context), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  return z.array(z.string()).parse(JSON.parse(text))
}
