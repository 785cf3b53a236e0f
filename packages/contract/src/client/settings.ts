/** The part of the typed client that speaks of settings in the configuration file. */
import type { ConversationSettings } from '../conversation-settings.ts'
import type { Call } from './call.ts'

/** Loaded with the first call: a page that never speaks of settings is there sooner without them. */
const routes = async () => (await import('../routes/settings.ts')).settingRoutes

export function settingCalls(call: Call) {
  return {
    timeZone: async () => call((await routes()).timeZone),
    setTimeZone: async (zone: string) => call((await routes()).setTimeZone, { body: { zone } }),
    conversationSettings: async () => call((await routes()).conversationSettings),
    setConversationSettings: async (body: ConversationSettings) =>
      call((await routes()).setConversationSettings, { body }),
  }
}
