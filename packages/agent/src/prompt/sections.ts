/** Owns the sections of a prompt, in their order: each from its part of the context, and none without content. */
import type { Autonomy } from '@countersign/contract'
import { promptLimits as limits } from '../limits.ts'
import type {
  AutomationContext,
  AutonomyContext,
  CapabilitiesContext,
  FileItem,
  PluginWords,
  ProfileContext,
  PromptContext,
  PromptItem,
  PromptOptions,
  SkillItem,
  TeamContext,
  TimeContext,
  ToolsContext,
  WorkspaceContext,
} from './context.ts'
import { conversationSection } from './conversation.ts'
import {
  automationRule,
  automationWords,
  autonomyGuidelines,
  fileWords,
  knownWords,
  learnedWords,
  rules,
  skillWords,
  toolSteps,
  unattendedGuideline,
  webSteps,
} from './guidelines.ts'
import { contentText, lineText, openTag, tagged, trustOf } from './markup.ts'
import { line, list, type Section } from './section.ts'

/** What hardly changes comes first, so that what a provider remembers of a prompt is of use. */
export function sectionsOf(context: PromptContext, options: PromptOptions): Section[] {
  const wanted = (include: boolean | undefined) => include !== false
  return [
    baseSection(context.base),
    ...(context.profile && wanted(options.includeUserProfile) ? [profileSection(context.profile)] : []),
    ...(context.instructions && wanted(options.includeInstructions)
      ? [instructionsSection(context.instructions)]
      : []),
    ...(context.team ? [teamSection(context.team)] : []),
    ...(context.known && context.known.length > 0 ? [knownSection(context.known)] : []),
    ...(context.tools && wanted(options.includeToolDescriptions) ? [toolsSection(context.tools)] : []),
    ...(context.skills ? [skillsSection(context.skills)] : []),
    ...(context.plugins ? [pluginsSection(context.plugins)] : []),
    ...(context.automation ? [automationSection(context.automation)] : []),
    ...(context.workspace ? [workspaceSection(context.workspace)] : []),
    ...(context.files ? [filesSection(context.files)] : []),
    ...(context.learnings ? [learnedSection(context.learnings)] : []),
    ...(context.capabilities && wanted(options.includeCapabilities)
      ? [capabilitiesSection(context.capabilities)]
      : []),
    ...(context.autonomy ? [autonomySection(context.autonomy)] : []),
    ...(context.time && wanted(options.includeTimeContext) ? [timeSection(context.time)] : []),
    ...(context.conversation ? [conversationSection(context.conversation)] : []),
  ]
}

/** Where the words are the operator's own they stand as they are; tags in them are the operator's own as well. */
function baseSection({ text, label }: PromptItem): Section {
  const words =
    label.integrity === 'operator' ? text.toWellFormed().trim() : contentText(text, Number.MAX_SAFE_INTEGER)
  return {
    name: 'base',
    open: '',
    close: '',
    parts: [line(tagged('role', trustOf(label), words), label), line(tagged('rules', {}, rules))],
  }
}

function profileSection(profile: ProfileContext): Section {
  const { label } = profile
  const told = (tag: string, text: string | undefined) =>
    text === undefined || text.trim() === ''
      ? []
      : [line(tagged(tag, {}, lineText(text, limits.noteLength)), label)]
  const items = (tag: string, texts: readonly string[]) =>
    texts.map((text) => ({ text: tagged(tag, {}, lineText(text, limits.lineLength)), label }))
  return {
    name: 'profile',
    open: openTag('profile', trustOf(label)),
    close: '</profile>',
    parts: [
      ...told('name', profile.name),
      ...told('style', profile.communicationStyle),
      list('facts', items('fact', profile.facts), limits.facts),
      list('preferences', items('preference', profile.preferences ?? []), limits.preferences),
      list('interests', items('interest', profile.interests), limits.interests),
    ],
  }
}

/** One list between the tags of its name. */
function listSection(name: Section['name'], part: Section['parts'][number]): Section {
  return { name, open: `<${name}>`, close: `</${name}>`, parts: [part] }
}

function instructionsSection(instructions: readonly PromptItem[]): Section {
  const items = instructions.map(({ text, label }) => ({
    text: tagged('instruction', trustOf(label), lineText(text, limits.noteLength)),
    label,
  }))
  const open = 'Follow these always:'
  return listSection('instructions', list('instructions', items, limits.instructions, { open, close: '' }))
}

/** What the operator wrote for all of a team stands for each of them. */
function teamSection({ name, text, label }: TeamContext): Section {
  return {
    name: 'team',
    open: openTag('team', { name, ...trustOf(label) }),
    close: '</team>',
    parts: [line(contentText(text, limits.sharedLength), label)],
  }
}

/** Nothing of the operator's stands in a prompt that does not need it: a run that has read it counts as private. */
function knownSection(names: readonly string[]): Section {
  return {
    name: 'known',
    open: '<known>',
    close: '</known>',
    parts: [line(`${knownWords} ${names.map((name) => lineText(name, 60)).join(', ')}.`)],
  }
}

function toolsSection({ categories, readsWeb }: ToolsContext): Section {
  const counted = categories
    .filter(({ tools }) => tools > 0)
    .slice(0, limits.categories)
    .map(({ name, tools }) => `${lineText(name, 60)} ${tools}`)
  return {
    name: 'tools',
    open: '<tools>',
    close: '</tools>',
    parts:
      counted.length === 0
        ? []
        : [
            line(`${toolSteps}\nHow many of each category: ${counted.join(', ')}.`),
            ...(readsWeb === true ? [line(webSteps)] : []),
          ],
  }
}

/** Names are the operator's, who let the skills in by them. What a stranger says that one is for stands in no prompt. */
function skillsSection(skills: readonly SkillItem[]): Section {
  const items = skills.map(({ name, description }) => ({
    text: tagged(
      'skill',
      { name },
      description === null ? '' : lineText(description.text, limits.lineLength),
    ),
    label: description?.label ?? null,
  }))
  return listSection('skills', list('skills', items, limits.skills, { open: skillWords, close: '' }))
}

const mostPluginWords = 8
const longestPluginWords = 1_500

/** They were reviewed, and still allow nothing. */
function pluginsSection(plugins: readonly PluginWords[]): Section {
  const items = plugins.map(({ name, title, words: { text, label } }) => ({
    text: tagged('plugin', { name, title }, contentText(text, longestPluginWords)),
    label,
  }))
  const open = 'What plugins of the operator say of themselves. It allows nothing.'
  return listSection('plugins', list('plugins', items, mostPluginWords, { open, close: '' }))
}

function automationSection(automation: AutomationContext): Section {
  const can = (['schedules', 'plans', 'tasks'] as const).filter((name) => automation[name])
  return {
    name: 'automation',
    open: '<automation>',
    close: '</automation>',
    parts:
      can.length === 0 ? [] : [line([...can.map((name) => automationWords[name]), automationRule].join(' '))],
  }
}

function workspaceSection({ folder, only }: WorkspaceContext): Section {
  const where = folder === undefined ? '' : ` It is ${lineText(folder, limits.lineLength)}.`
  const own =
    only === undefined
      ? ''
      : ` Your folder is ${lineText(only, limits.lineLength)}: every path you use lies in it and begins with it.`
  return {
    name: 'workspace',
    open: '<workspace>',
    close: '</workspace>',
    parts: [line(`Files live in the workspace; paths are relative to it.${where}${own}`)],
  }
}

/** What the operator accepted of what a workspace says of itself. Escaped like every file: it may hold tags of its own. */
function filesSection(files: readonly FileItem[]): Section {
  const items = files.map(({ path, text, label }) => ({
    text: tagged('file', { path, ...trustOf(label) }, `\n${contentText(text, limits.fileLength)}\n`),
    label,
  }))
  return listSection('files', list('files', items, limits.files, { open: fileWords, close: '' }))
}

function learnedSection(learnings: readonly PromptItem[]): Section {
  const items = learnings.map(({ text, label }) => ({
    text: tagged('learning', trustOf(label), contentText(text, limits.noteLength)),
    label,
  }))
  return listSection(
    'learned',
    list('own learnings', items, limits.learnings, { open: learnedWords, close: '' }),
  )
}

function capabilitiesSection({ has, lacks }: CapabilitiesContext): Section {
  const named = (names: readonly string[]) => names.map((name) => lineText(name, 60)).join(', ')
  return {
    name: 'capabilities',
    open: '<capabilities>',
    close: '</capabilities>',
    parts: [
      ...(has.length === 0 ? [] : [line(`There: ${named(has)}.`)]),
      ...(lacks.length === 0
        ? []
        : [line(`Switched off, and only the operator can switch it on: ${named(lacks)}.`)]),
    ],
  }
}

function autonomySection({ level, unattended }: AutonomyContext): Section {
  const guidelines: Readonly<Record<Autonomy, string>> = autonomyGuidelines
  return {
    name: 'autonomy',
    open: openTag('autonomy', { level }),
    close: '</autonomy>',
    parts: [line(unattended ? `${guidelines[level]} ${unattendedGuideline}` : guidelines[level])],
  }
}

/** No finer than the hour: a prompt that is another each minute is paid for in full each time. */
function timeSection({ now, zone }: TimeContext): Section {
  const parts = new Map(
    calendarOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  const hour = Number(part('hour'))
  const date = `${part('year')}-${part('month')}-${part('day')}`
  return {
    name: 'time',
    open: '<time>',
    close: '</time>',
    parts: [
      line(`${part('weekday')} ${date}, ${timeOfDay(hour)}, about ${part('hour')}:00, ${lineText(zone, 60)}`),
    ],
  }
}

/** Making one takes far longer than using it, and there are only so many zones. */
const calendars = new Map<string, Intl.DateTimeFormat>()

function calendarOf(zone: string): Intl.DateTimeFormat {
  const known = calendars.get(zone)
  if (known) return known
  const calendar = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  calendars.set(zone, calendar)
  return calendar
}

function timeOfDay(hour: number): string {
  if (hour < 5 || hour >= 22) return 'night'
  if (hour < 12) return 'morning'
  return hour < 18 ? 'afternoon' : 'evening'
}
