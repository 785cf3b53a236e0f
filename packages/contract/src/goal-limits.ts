/**
 * Owns the limits of a goal: which tools, hosts and folders its work may touch, up to which tier, for how much money
 * and when not. Pure. Refuses wildcards: what a limit lets through is named exactly.
 */
import { z } from 'zod'
import { Tier } from './trust.ts'

const toolEntry = z
  .string()
  .regex(
    /^(group:[a-zA-Z]{1,60}|[a-zA-Z][a-zA-Z0-9_.-]{0,99})$/,
    'must be the name of a tool, as read_file, or a group, as group:notes',
  )

const host = z
  .string()
  .regex(
    /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:.]{2,45})$/,
    'must be one exact host in lower case, as api.github.com, without a port and without wildcards',
  )

export const OwnFolder = z
  .string()
  .refine(isFolder, 'must be a folder of the workspace, as reports/2026, without .. and without a first /')

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, as 22:00')

export const GoalQuietHours = z
  .strictObject({
    from: hour,
    to: hour,
    zone: z.string().refine(isZone, 'must be a time zone, as Europe/Vienna'),
  })
  .refine(({ from, to }) => from !== to, 'must begin and end at different times')
export type GoalQuietHours = z.infer<typeof GoalQuietHours>

/** What is left out is not limited. An empty list lets nothing through. */
export const GoalLimits = z.strictObject({
  tools: z.array(toolEntry).max(200).exactOptional(),
  hosts: z.array(host).max(100).exactOptional(),
  folders: z.array(OwnFolder).max(50).exactOptional(),
  moneyPerDayUsd: z.number().min(0).max(1_000_000).exactOptional(),
  tierMax: Tier.exactOptional(),
  /** In which nothing is done that nobody asked for just now. */
  quietHours: GoalQuietHours.exactOptional(),
})
export type GoalLimits = z.infer<typeof GoalLimits>

/** Null takes a limit away. */
export const GoalLimitsChange = z.strictObject({
  tools: GoalLimits.shape.tools.unwrap().nullable().exactOptional(),
  hosts: GoalLimits.shape.hosts.unwrap().nullable().exactOptional(),
  folders: GoalLimits.shape.folders.unwrap().nullable().exactOptional(),
  moneyPerDayUsd: GoalLimits.shape.moneyPerDayUsd.unwrap().nullable().exactOptional(),
  tierMax: GoalLimits.shape.tierMax.unwrap().nullable().exactOptional(),
  quietHours: GoalLimits.shape.quietHours.unwrap().nullable().exactOptional(),
})
export type GoalLimitsChange = z.infer<typeof GoalLimitsChange>

export function changedLimits(before: GoalLimits, change: GoalLimitsChange): GoalLimits {
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged) as GoalLimits
}

/** Which limits would let something through that they do not let through now. `groupOf` knows the group of a tool. */
export function widenedLimits(
  before: GoalLimits,
  after: GoalLimits,
  groupOf: (tool: string) => string | undefined,
): (keyof GoalLimits)[] {
  const wider = (name: keyof GoalLimits): boolean => {
    if (before[name] === undefined) return false
    if (after[name] === undefined) return true
    switch (name) {
      case 'tools':
        return !after.tools?.every((entry) => coversTool(before.tools ?? [], entry, groupOf(entry)))
      case 'hosts':
        return !after.hosts?.every((each) => before.hosts?.includes(each))
      case 'folders':
        return !after.folders?.every((each) => isInFolders(each, before.folders ?? []))
      case 'moneyPerDayUsd':
        return (after.moneyPerDayUsd ?? 0) > (before.moneyPerDayUsd ?? 0)
      case 'tierMax':
        return (after.tierMax ?? 0) > (before.tierMax ?? 0)
      case 'quietHours':
        return !coversHours(after.quietHours, before.quietHours)
    }
  }
  return (Object.keys(before) as (keyof GoalLimits)[]).filter(wider)
}

export function coversTool(entries: readonly string[], tool: string, group: string | undefined): boolean {
  return entries.includes(tool) || (group !== undefined && entries.includes(`group:${group}`))
}

/** A folder holds itself and everything below it; `.` is the whole workspace. */
export function isInFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((each) => each === '.' || path === each || path.startsWith(`${each}/`))
}

/** The time of day at which the quiet ends, if it is quiet now. */
export function goalQuietUntil(hours: GoalQuietHours, at: Date): string | undefined {
  const now = new Intl.DateTimeFormat('en-GB', {
    timeZone: hours.zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  const { from, to } = hours
  const quiet = from < to ? from <= now && now < to : from <= now || now < to
  return quiet ? to : undefined
}

function coversHours(after: GoalQuietHours | undefined, before: GoalQuietHours | undefined): boolean {
  if (!after || !before || after.zone !== before.zone) return false
  const length = ({ from, to }: GoalQuietHours) => (minutes(to) - minutes(from) + day) % day
  const later = (minutes(before.from) - minutes(after.from) + day) % day
  return later + length(before) <= length(after)
}

const day = 24 * 60

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function isFolder(text: string): boolean {
  if (text === '.') return true
  const isPart = (part: string) =>
    part !== '' && part !== '.' && part !== '..' && !/[\\\p{Cc}\p{Cf}]/u.test(part)
  return text.length <= 1_000 && text.normalize('NFC') === text && text.split('/').every(isPart)
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: text })
    return true
  } catch {
    return false
  }
}
