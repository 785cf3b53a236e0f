/** Owns the routes of what an operator sets of conversations. Another choice holds from the next start on. */
import { ConversationChoices, type ConversationSettings } from '@countersign/contract'
import { readSettings } from '@countersign/contract/node'
import { settingRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import { changeConfigurationFile } from '../configuration-file.ts'
import { type App, route } from './route.ts'

export interface ConversationSettingParts {
  readonly kernel: Pick<Kernel, 'act'>
  readonly file: string
  /** What the gateway was started with. */
  readonly now: ConversationSettings
}

export function addConversationSettingRoutes(
  app: App,
  { kernel, file, now }: ConversationSettingParts,
): void {
  const view = () => {
    const written = ConversationChoices.safeParse(readSettings(file)['conversations'])
    return { now, next: written.success ? written.data : now }
  }
  app.openapi(route(settingRoutes.conversationSettings), (context) => context.json(view(), 200))
  app.openapi(route(settingRoutes.setConversationSettings), async (context) => {
    const { operator, actor } = context.get('speaker')
    const wanted = context.req.valid('json')
    changeConfigurationFile(file, { conversations: wanted })
    const ledger = await kernel.act(operator, { type: 'conversations.changed', actor, data: { ...wanted } })
    return context.json({ settings: view(), ledger }, 200)
  })
}
