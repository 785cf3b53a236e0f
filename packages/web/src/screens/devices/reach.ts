/** Owns the words for how far a device may go, and what is given to a new one unless the operator says otherwise. Pure. */
import type { DeviceReach, DeviceView, PairingRequestView } from '@countersign/contract'

export const reaches: readonly DeviceReach[] = [0, 2, 3]

/** As a word, as the end of “it …”, and what that means in full. */
export const reachWords: Readonly<
  Record<DeviceReach, { readonly word: string; readonly does: string; readonly about: string }>
> = {
  0: {
    word: 'Looks',
    does: 'looks only',
    about: 'Sees everything, decides nothing.',
  },
  2: {
    word: 'Decides',
    does: 'decides up to T2',
    about: 'Approves up to T2, answers questions, writes messages, pauses. Denies anything.',
  },
  3: {
    word: 'Seals',
    does: 'decides, and seals T3',
    about: 'Approves T3 with its own key, changes settings and secrets, lets other devices in.',
  },
}

/** A phone is easily left lying about: it decides up to T2 unless the operator gives it more. */
export function offeredReach({
  reach,
  platform,
}: Pick<PairingRequestView, 'reach' | 'platform'>): DeviceReach {
  return isPhone(platform) && reach === 3 ? 2 : reach
}

export function isPhone(platform: string): boolean {
  return /android|iphone|ipad|ios/i.test(platform)
}

/** Whether it is there, and since when not. `seen` is null where the gateway has not met it since its own start. */
export function presenceOf({ connections, seenAt }: Pick<DeviceView, 'connections' | 'seenAt'>): {
  readonly isHere: boolean
  readonly words: string
  readonly seen: string | null
} {
  if (connections > 0)
    return {
      isHere: true,
      words: connections === 1 ? 'connected' : `connected, ${connections} windows`,
      seen: null,
    }
  return {
    isHere: false,
    words: seenAt === null ? 'not seen since the gateway started' : 'seen',
    seen: seenAt,
  }
}
