/** Owns what each step of the first run offers to choose from, and the words beside it. */
import type {
  Autonomy,
  ChannelKindView,
  ChannelView,
  FirstAction,
  SafetyChoice,
  SetupAnswer,
  SetupStepOf,
} from '@countersign/contract'
import type { Choice } from '../asking/question.ts'
import { money } from '../output/money.ts'
import { line } from '../output/safe-text.ts'
import { foundWords } from './provider-words.ts'

/** What is likeliest to be right stands first: a server or key that was found, what is set up, then the demo. */
export function modelChoices({ data }: SetupStepOf<'model'>): Choice<SetupAnswer<'model'> | 'key'>[] {
  const found = data.detected.map((each) => ({
    value: { choice: 'detected', name: each.name } as const,
    label: line(each.title),
    hint: foundWords(each),
  }))
  const current = {
    value: { choice: 'current' } as const,
    label: `Keep ${line(data.current ?? '')}`,
    hint: 'set up already',
    key: 'c',
  }
  const demo = {
    value: { choice: 'demo' } as const,
    label: 'Demo model',
    hint: 'no key, no network, understands a few sentences',
    key: 'd',
  }
  const key = {
    value: 'key' as const,
    label: 'Paste a key',
    hint: data.kinds.map(({ title }) => line(title)).join(', '),
    key: 'k',
  }
  const sure = [...found, ...(data.current === null ? [] : [current])]
  return sure.length === 0 ? [demo, key] : [...sure, key, demo]
}

export function safetyChoices({ data }: SetupStepOf<'safety'>): Choice<SafetyChoice>[] {
  return data.cards.map(({ choice, title, about, asks }) => ({
    value: choice,
    label: line(title),
    hint: [
      ...(about === '' ? [] : [line(about)]),
      ...(asks === null ? [] : [`In our test week: about ${Math.round(asks / 7)} questions a day.`]),
    ].join(' '),
  }))
}

export function levelChoices({ data }: SetupStepOf<'safety'>): Choice<Autonomy>[] {
  return data.levels.map(({ level, about, asks }) => ({
    value: level,
    label: level,
    hint: `${line(about)}${asks === null ? '' : ` About ${Math.round(asks / 7)} questions a day.`}`,
  }))
}

export function actionChoices({ data }: SetupStepOf<'action'>): Choice<FirstAction | 'skip'>[] {
  const offered = data.choices.map(({ action, title, about, needs, asks }) => ({
    value: action,
    label: line(title),
    hint: [line(about), line(needs), asks === 1 ? 'Asks you once.' : `Asks you ${asks} times.`]
      .filter((each) => each !== '')
      .join(' '),
  }))
  return [...offered, { value: 'skip', label: 'Skip', key: 's' }]
}

export type ReachWish = 'skip' | 'add' | 'phone' | { readonly channel: string }

/** To go on without is one key: nobody has to have a phone at hand. */
export function reachChoices(channels: readonly ChannelView[]): Choice<ReachWish>[] {
  return [
    { value: 'skip', label: 'Continue without', key: 's' },
    ...channels.map(({ name, title }) => ({
      value: { channel: name },
      label: `Send a test to ${line(name)}`,
      hint: line(title),
    })),
    { value: 'add', label: 'Add a chat', hint: 'Telegram, Slack, e-mail and others', key: 'a' },
    { value: 'phone', label: 'The app on your phone', hint: 'pairs it by a picture', key: 'p' },
  ]
}

/** Those on which the operator can be reached: where they can be let in, or that only take notices. */
export function addedKinds(kinds: readonly ChannelKindView[]): readonly ChannelKindView[] {
  return kinds.filter(({ bindable, direction }) => bindable || direction === 'out')
}

export function recipeChoices({ data }: SetupStepOf<'recipes'>): Choice<string>[] {
  return data.recipes.map(({ id, name, sentence, may, maxCostUsd, added }) => ({
    value: id,
    label: `${line(name)}${added ? ` (${added.status})` : ''}`,
    hint: `${line(sentence)}, at most ${money(maxCostUsd)} per run. ${line(may)}`,
  }))
}
