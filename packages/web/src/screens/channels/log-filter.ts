/** Owns which deliveries of a channel are shown. Those that were held are shown where they are decided. Pure. */
import type { DeliveryView } from '@countersign/contract'

export const logViews = ['all', 'waiting', 'sent', 'trouble'] as const
export type LogView = (typeof logViews)[number]

const states: Readonly<Record<Exclude<LogView, 'all'>, readonly DeliveryView['state'][]>> = {
  waiting: ['waiting', 'sending'],
  sent: ['sent'],
  trouble: ['unknown', 'refused', 'expired', 'aside'],
}

/** As it stands in an address; what nobody knows is everything. */
export function logViewIn(text: string | undefined): LogView {
  return logViews.find((each) => each === text) ?? 'all'
}

export function shownInLog<Row extends Pick<DeliveryView, 'state'>>(
  rows: readonly Row[],
  view: LogView,
): readonly Row[] {
  return rows.filter(({ state }) => state !== 'held' && (view === 'all' || states[view].includes(state)))
}
