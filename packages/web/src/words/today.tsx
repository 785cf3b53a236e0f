/** What the Today screen says. */
import type { Reminder } from '@countersign/contract'
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('today', {
  title: 'Today',
  unknownOffline: 'Not available while the gateway is not responding.',
  more: (count: number) => plural(count, { other: 'and # more' }),
  say: { label: 'Ask or tell the assistant something', send: 'Send' },
  day: {
    caption: (runs: number, asks: number) =>
      `Today: ${plural(runs, { one: '# run', other: '# runs' })}, ${plural(asks, { one: '# request', other: '# requests' })}`,
    open: 'Open the runs of today in Activity',
    table: 'The runs of today',
    began: 'Began',
    length: 'Time',
    waited: 'Waited for you',
    ask: 'Asked you',
  },
  needs: {
    decide: 'Decide here',
    title: 'Needs you',
    list: 'What needs you',
    count: (count: number) => plural(count, { one: '# item', other: '# items' }),
    hidden: (count: number) => plural(count, { one: 'and # more approval', other: 'and # more approvals' }),
    none: 'Nothing needs you.',
    settled: (title: ReactNode) => <>Done: {title}</>,
    question: 'Question',
    automationFailed: 'Automation failed',
    automationMissed: 'Automation missed',
    putAside: 'Dismiss',
    seeWhy: 'See why',
    missed: 'It did not run at its scheduled time.',
    failed: 'Its last run ended with a problem.',
    notice: 'Notice',
    skill: 'Skill to review',
    skillWaits: 'It waits for your review. No agent can use it before.',
    repair: 'Repair',
    openHealth: 'Open Health',
    openModels: 'Open Models',
    asked: (when: ReactNode, left: string) => (
      <>
        asked {when}, {left} left
      </>
    ),
    needsPasskey: ', needs your passkey',
    review: 'Review',
    newDevice: 'New device',
    compare: 'Compare words',
    wantsIn: (name: ReactNode) => <>{name} wants to be paired</>,
    noPlatform: 'It did not say what kind of device it is.',
  },
  notices: {
    budget: (budget: string, percent: number, spent: string, limit: string) =>
      `${percent} percent of the budget “${budget}” is spent: ${spent} of ${limit}.`,
    held: (reason: string) => `On hold: ${reason}`,
    released: (by: string) => `Unattended work was resumed by ${by}.`,
    reminder: ({ title, when, location, late, begun }: Reminder & { when: string }) =>
      `Reminder: “${title}” ${begun ? 'began' : 'begins'} ${when}${location === null ? '' : `, ${location}`}.${late ? ' This reminder is late: the gateway was not running when it was due.' : ''}`,
  },
  repairs: {
    ledger: 'The ledger is not writable, so nothing runs.',
    database: 'The database is not responding.',
    executor: 'The executor is not running, so no call can be carried out.',
    noModel: 'No model is set up yet, so agents cannot work. Add one to begin.',
    model: (model: string, problem: string) =>
      `The model ${model} is not responding, so agents cannot work. ${problem}`,
  },
  question: {
    unknown: 'It is not known whether this happened. Check, then answer.',
    waits: 'The agent is waiting for your answer.',
    conversation: 'Open the conversation',
    answers: 'Answers',
    own: 'Or in your own words',
    yours: 'Your answer',
    send: 'Answer',
    answered: (text: string, ledger: number) => `You answered “${text}”. Ledger #${ledger}.`,
  },
  feed: {
    title: 'Since your last visit',
    noGoal: 'Without a goal',
    steps: (count: number) => plural(count, { one: '# step', other: '# steps' }),
    why: 'Why',
    undo: 'Undo',
    undone: 'Undone',
    archive: 'Archive',
    entry: (entry: number) => `Ledger entry ${entry}`,
    nothingNew: 'Nothing new.',
    quiet: 'Nothing has happened. Nothing will happen until you ask for something or turn on an automation.',
    nothingYet: 'Nothing has happened yet.',
    askInChat: 'Ask in Chat',
    fresh: 'New',
    earlier: 'Earlier',
    earlierCount: (count: number) => plural(count, { one: 'Earlier: # item', other: 'Earlier: # items' }),
    keys: { next: 'next', why: 'why', undo: 'undo', archive: 'archive' },
    untold: (count: number) =>
      plural(count, {
        one: '# run has ended since this summary.',
        other: '# runs have ended since this summary.',
      }),
    openActivity: 'Open Activity',
    dismissAll: 'Dismiss all',
    aRun: 'A run',
    tell: 'Update summary',
    telling: 'Summarizing…',
    fromLedger: 'From the ledger',
    fromLedgerDetail: 'Immediate, without a model. Costs nothing.',
    byModel: 'Written by a model',
    byModelDetail: 'From the same entries, within the budget for summaries.',
    toldNothing: (ledger: number) => `Nothing has happened since the last summary. Ledger #${ledger}.`,
    told: (count: number, ledger: number) =>
      `${plural(count, { one: '# item added', other: '# items added' })}. Ledger #${ledger}.`,
    toldSoon: (count: number, ledger: number) =>
      `${plural(count, { one: '# item added', other: '# items added' })}; a model is rewriting them. Ledger #${ledger}.`,
  },
  keys: {
    archive: 'Archive the item',
    undo: 'Undo the item',
    why: 'Show why it happened',
    open: (number: number) => `Open number ${number}`,
    archived: 'Archived.',
    putBack: 'Put back',
    notUndoable: 'This cannot be undone.',
  },
  next: {
    title: 'Next 24 hours',
    about: (cost: string) => `about ${cost}`,
    atMost: (cost: string) => `at most ${cost}`,
    automations: 'Automations',
    add: 'Add an automation',
    noAutomation: 'Nothing runs on its own until you add an automation.',
    noneDue: 'No automation is due.',
    paused: 'Everything is paused. None of these will run until you resume.',
    upTo: 'up to',
  },
  standing: {
    title: 'Runs without asking',
    review: 'Review',
    none: 'You haven’t allowed anything in advance.',
    active: (count: number) => plural(count, { one: '# grant', other: '# grants' }),
    canAct: (grants: ReactNode, count: number) => (
      <>
        {grants} {count === 1 ? 'lets' : 'let'} calls run without asking
      </>
    ),
    unused: (count: number) => plural(count, { other: '# unused for 15 days' }),
    level: (level: string, about: string) => `Level ${level}: ${about}`,
    rules: (count: number) => plural(count, { one: '; # rule of yours', other: '; # rules of yours' }),
    suggested: (count: number) =>
      plural(count, {
        one: '# grant would have saved you questions',
        other: '# grants would have saved you questions',
      }),
  },
  spending: {
    title: 'Spending',
    costs: 'Costs',
    today: 'Today',
    of: (spent: string, limit: string) => `${spent} of ${limit}`,
    month: 'This month',
    unattended: {
      run: 'Unattended, this run',
      hour: 'Unattended, this hour',
      day: 'Unattended, today',
      week: 'Unattended, this week',
      month: 'Unattended, this month',
      ever: 'Unattended, in total',
    },
    noLimit: 'There is no overall limit.',
    setOne: 'Set a limit',
  },
  undo: {
    title: 'Undo',
    description: 'Changes are reverted, newest first.',
    undo: (count: number) => plural(count, { one: 'Undo # call', other: 'Undo # calls' }),
    none: 'This can no longer be undone.',
    can: 'Can be undone',
    cannot: 'Cannot be undone',
    started: (count: number, ledger: number) =>
      `${plural(count, { one: 'Undoing # call', other: 'Undoing # calls' })}. Ledger #${ledger}.`,
    watch: 'Watch',
  },
  why: {
    title: 'Why it happened',
    which: (count: number) =>
      plural(count, { one: 'Based on # entry.', other: 'Based on # entries. Choose one:' }),
    entries: 'Entries',
    open: (entry: number) => `Open #${entry} in the ledger`,
  },
})
