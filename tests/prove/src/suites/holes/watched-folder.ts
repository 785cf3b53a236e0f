/** Owns the whole way of an e-mail that starts work: a real mail server, the gateway, and an automation that watches. */
import type { OccurrenceView, ScheduleLooked, Trigger } from '@countersign/contract'
import { type MailServers, startMailServers } from '@countersign/executor/mail-servers'
import { until } from '../../until.ts'
import type { Scene, Stage } from './stage.ts'

export interface WatchedFolder {
  readonly scene: Scene
  readonly servers: MailServers
  /** Made, and the folder looked at as it is. */
  watch(text: string, more?: Partial<Trigger>): Promise<string>
  look(id: string): Promise<ScheduleLooked>
  /** Looks until so many occurrences are written down; what there are by then. */
  lookUntil(id: string, count: number): Promise<OccurrenceView[]>
  deliver(subject: string): Promise<void>
}

export async function openWatchedFolder(stage: Stage): Promise<WatchedFolder> {
  const servers = await startMailServers()
  stage.afterwards(() => servers.close())
  const { imap, smtp } = servers.ports
  const environment = { COUNTERSIGN_LOCAL_TARGETS: `localhost:${imap},localhost:${smtp}` }
  const scene = await stage.ownScene({ environment })
  const { client } = scene.gateway
  await client.setBudget({ scope: 'unattended', limitUsd: 50 })
  const { name, secret: _, ...account } = servers.account('home', 'me@home.test')
  await client.storeMailAccount(name, { ...account, password: servers.password })
  const look = (id: string) => client.lookForMail(id)
  return {
    scene,
    servers,
    look,
    async watch(text, more = {}) {
      const trigger = { kind: 'mail', account: 'home', ...more } as Trigger
      const { schedule } = await client.addSchedule({
        name: text,
        trigger,
        does: { kind: 'prompt', text },
      })
      const isLooked = async () => ((await client.schedule(schedule.id)).look?.lookedAt ?? null) !== null
      if (!(await until(isLooked, 60_000))) throw new Error('The folder was not looked at.')
      return schedule.id
    },
    async lookUntil(id, count) {
      let found: OccurrenceView[] = []
      const areThere = async () => {
        await look(id)
        found = await client.occurrences(id, { limit: '200' })
        return found.length >= count
      }
      await until(areThere, 60_000)
      return found
    },
    deliver: (subject) =>
      servers.deliver(
        'me@home.test',
        `From: Eve <eve@evil.test>\nTo: me@home.test\nSubject: ${subject}\n\nHello.`,
      ),
  }
}
