/** The German translation, whole: a catalogue that is missing here, or has a key too few or too many, does not compile. */
import type { English } from '../english.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.tsx'
import { agents } from './agents.tsx'
import { approvals } from './approvals.tsx'
import { automations } from './automations.tsx'
import { channels } from './channels.tsx'
import { charts } from './charts.ts'
import { chat } from './chat.tsx'
import { common } from './common.ts'
import { costs } from './costs.tsx'
import { deciding } from './deciding.ts'
import { devices } from './devices.tsx'
import { extensions } from './extensions.tsx'
import { files } from './files.tsx'
import { frame } from './frame.tsx'
import { goals } from './goals.tsx'
import { health } from './health.ts'
import { ledger } from './ledger.tsx'
import { library } from './library.tsx'
import { memory } from './memory.tsx'
import { models } from './models.tsx'
import { pair } from './pair.tsx'
import { plans } from './plans.tsx'
import { policy } from './policy.tsx'
import { programs } from './programs.tsx'
import { retrying } from './retrying.ts'
import { secrets } from './secrets.ts'
import { settings } from './settings.tsx'
import { setup } from './setup.tsx'
import { speech } from './speech.ts'
import { today } from './today.tsx'
import { tools } from './tools.tsx'
import { witness } from './witness.tsx'

export const german: English = {
  accounts,
  files,
  library,
  approvals,
  common,
  deciding,
  frame,
  pair,
  today,
  channels,
  charts,
  chat,
  devices,
  extensions,
  policy,
  programs,
  secrets,
  settings,
  automations,
  costs,
  agents,
  goals,
  plans,
  health,
  memory,
  models,
  tools,
  setup,
  ledger,
  activity,
  retrying,
  speech,
  witness,
}
