/** Owns the table of the routes of settings that stand in the configuration file. */
import { ChangedTimeZone, SetTimeZone, TimeZoneView } from '../api.ts'
import {
  ChangedConversationSettings,
  ConversationSettings,
  ConversationSettingsView,
} from '../conversation-settings.ts'
import { define } from './define.ts'

export const settingRoutes = {
  timeZone: define(
    'get',
    '/v1/time-zone',
    'In which time zone days begin and new automations run.',
    TimeZoneView,
  ),
  setTimeZone: define(
    'put',
    '/v1/time-zone',
    'Changes the time zone, from the next start on.',
    ChangedTimeZone,
    { body: SetTimeZone },
  ),
  conversationSettings: define(
    'get',
    '/v1/conversation-settings',
    'After which silence a conversation ends, and how many summaries a prompt holds.',
    ConversationSettingsView,
  ),
  setConversationSettings: define(
    'put',
    '/v1/conversation-settings',
    'Changes both, from the next start on.',
    ChangedConversationSettings,
    { body: ConversationSettings },
  ),
}
