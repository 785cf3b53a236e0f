/** Owns the list of catalogues, by the names under which translations have them. Types only: a screen fetches its own. */
import type { Translation } from '../language/current.ts'
import type { words as accounts } from './accounts.ts'
import type { words as activity } from './activity.tsx'
import type { words as agents } from './agents.tsx'
import type { words as approvals } from './approvals.tsx'
import type { words as automations } from './automations.tsx'
import type { words as channels } from './channels.tsx'
import type { words as charts } from './charts.ts'
import type { words as chat } from './chat.tsx'
import type { words as common } from './common.ts'
import type { words as costs } from './costs.tsx'
import type { words as deciding } from './deciding.ts'
import type { words as devices } from './devices.tsx'
import type { words as extensions } from './extensions.tsx'
import type { words as files } from './files.tsx'
import type { words as frame } from './frame.tsx'
import type { words as goals } from './goals.tsx'
import type { words as health } from './health.ts'
import type { words as ledger } from './ledger.tsx'
import type { words as library } from './library.tsx'
import type { words as memory } from './memory.tsx'
import type { words as models } from './models.tsx'
import type { words as pair } from './pair.tsx'
import type { words as plans } from './plans.tsx'
import type { words as policy } from './policy.tsx'
import type { words as programs } from './programs.tsx'
import type { words as retrying } from './retrying.ts'
import type { words as secrets } from './secrets.ts'
import type { words as settings } from './settings.tsx'
import type { words as setup } from './setup.tsx'
import type { words as speech } from './speech.ts'
import type { words as today } from './today.tsx'
import type { words as tools } from './tools.tsx'
import type { words as witness } from './witness.tsx'

export type English = {
  readonly accounts: Translation<typeof accounts>
  readonly approvals: Translation<typeof approvals>
  readonly common: Translation<typeof common>
  readonly deciding: Translation<typeof deciding>
  readonly frame: Translation<typeof frame>
  readonly pair: Translation<typeof pair>
  readonly today: Translation<typeof today>
  readonly channels: Translation<typeof channels>
  readonly charts: Translation<typeof charts>
  readonly chat: Translation<typeof chat>
  readonly devices: Translation<typeof devices>
  readonly extensions: Translation<typeof extensions>
  readonly policy: Translation<typeof policy>
  readonly programs: Translation<typeof programs>
  readonly secrets: Translation<typeof secrets>
  readonly settings: Translation<typeof settings>
  readonly automations: Translation<typeof automations>
  readonly costs: Translation<typeof costs>
  readonly agents: Translation<typeof agents>
  readonly goals: Translation<typeof goals>
  readonly plans: Translation<typeof plans>
  readonly health: Translation<typeof health>
  readonly library: Translation<typeof library>
  readonly files: Translation<typeof files>
  readonly memory: Translation<typeof memory>
  readonly models: Translation<typeof models>
  readonly tools: Translation<typeof tools>
  readonly setup: Translation<typeof setup>
  readonly ledger: Translation<typeof ledger>
  readonly activity: Translation<typeof activity>
  readonly retrying: Translation<typeof retrying>
  readonly speech: Translation<typeof speech>
  readonly witness: Translation<typeof witness>
}
