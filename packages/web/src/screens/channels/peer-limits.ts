/** Owns the form of what a person may cause: as text to fill in, and as the limits that it means. Pure. */
import { listIn, type PeerLimits } from '@countersign/contract'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/channels.tsx'

export interface PeerLimitValues {
  readonly tools: string
  readonly noTools: boolean
  readonly tier: string
  readonly dailyUsd: string
  readonly messagesPerHour: string
  readonly always: boolean
  readonly from: string
  readonly to: string
}

export function limitValues({ tools, tier, dailyUsd, messagesPerHour, hours }: PeerLimits): PeerLimitValues {
  return {
    tools: tools?.join(', ') ?? '',
    noTools: tools !== null && tools.length === 0,
    tier: String(tier),
    dailyUsd: String(dailyUsd),
    messagesPerHour: String(messagesPerHour),
    always: hours === null,
    from: String(hours?.from ?? 8),
    to: String(hours?.to ?? 22),
  }
}

export function limitProblems({ dailyUsd, messagesPerHour }: PeerLimitValues) {
  return {
    dailyUsd: isWithin(dailyUsd, 1_000) ? undefined : words.limits.dailyUsdProblem,
    messagesPerHour:
      isWithin(messagesPerHour, 1_000) && Number.isInteger(Number(messagesPerHour))
        ? undefined
        : words.limits.messagesPerHourProblem,
  }
}

export function limitsIn(values: PeerLimitValues): PeerLimits {
  const { tools, noTools, always, from, to } = values
  const named = listIn(tools)
  return {
    tools: noTools ? [] : named.length === 0 ? null : named,
    tier: ([0, 1, 2, 3] as const).find((tier) => String(tier) === values.tier) ?? 0,
    dailyUsd: Number(values.dailyUsd),
    messagesPerHour: Number(values.messagesPerHour),
    hours: always ? null : { from: Number(from), to: Number(to) },
  }
}

export function limitWords({ tools, dailyUsd, hours, messagesPerHour }: PeerLimits): readonly string[] {
  return [
    tools === null ? words.limits.anyTool : tools.length === 0 ? words.limits.noTool : tools.join(', '),
    words.limits.aDay(moneyWords(dailyUsd)),
    words.limits.anHour(messagesPerHour),
    ...(hours === null ? [] : [words.limits.hours(hours.from, hours.to)]),
  ]
}

function isWithin(text: string, most: number): boolean {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) && number >= 0 && number <= most
}
