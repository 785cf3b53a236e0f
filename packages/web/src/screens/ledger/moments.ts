/** Owns times in a long list: the same words as everywhere, made with one formatter instead of one for each row. */

import { useMemo } from 'react'
import { useNow } from '../../kit/index.ts'
import { locale } from '../../language/current.ts'
import { relativeWords } from '../../language/format.ts'

export interface Moments {
  readonly short: (at: string) => string
  readonly exact: (at: string) => string
}

const dayMs = 86_400_000

export function useMoments(): Moments {
  const now = useNow(30_000)
  const forms = useMemo(
    () => ({
      thisYear: new Intl.DateTimeFormat(locale(), {
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
      }),
      otherYear: new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', year: 'numeric' }),
      exact: new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'long' }),
    }),
    [],
  )
  return useMemo(
    () => ({
      short(at) {
        const moment = new Date(at)
        if (Math.abs(now.getTime() - moment.getTime()) < dayMs) return relativeWords(moment, now)
        const isThisYear = moment.getFullYear() === now.getFullYear()
        return forms[isThisYear ? 'thisYear' : 'otherYear'].format(moment)
      },
      exact: (at) => forms.exact.format(new Date(at)),
    }),
    [forms, now],
  )
}
