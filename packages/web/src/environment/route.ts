/** Owns where in a screen one is: the parts of the path below the screen's own, and what is asked of it. */
import { useCallback, useMemo } from 'react'
import { useBase, useHistory, useLocation } from './location.tsx'

export interface Route {
  /** The screen's own path, such as `/approvals`. */
  readonly base: string
  /** Below it: `/approvals/K7Q2/raw` has `['K7Q2', 'raw']`. */
  readonly parts: readonly string[]
  readonly search: Readonly<Record<string, string>>
  /** Goes there. Writes over the present entry of the history where that is only a filter. */
  readonly go: (to: string, options?: { readonly replace?: boolean }) => void
  /** The address of something below this screen. */
  readonly href: (parts: readonly string[], search?: Readonly<Record<string, string | undefined>>) => string
  /** Sets or, with undefined, removes what is asked, and stays where one is. */
  readonly ask: (change: Readonly<Record<string, string | undefined>>) => void
}

export function useRoute(): Route {
  const { pathname, search: asked } = useLocation()
  const base = useBase()
  const go = useGo()
  return useMemo(() => {
    const parts = partsBelow(pathname, base)
    const search = Object.fromEntries(new URLSearchParams(asked))
    const href: Route['href'] = (below, change = {}) => routeHref(base, below, change)
    return {
      base,
      parts,
      search,
      go,
      href,
      ask: (change) => go(href(parts, { ...search, ...change }), { replace: true }),
    }
  }, [base, pathname, asked, go])
}

/** Goes to an address of this app. */
export function useGo(): Route['go'] {
  const history = useHistory()
  return useCallback(
    (to, options = {}) => (options.replace === true ? history.replace(to) : history.push(to)),
    [history],
  )
}

export function partsBelow(pathname: string, base: string): readonly string[] {
  return pathname
    .slice(base === '/' ? 1 : base.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decodePart)
}

export function routeHref(
  base: string,
  parts: readonly string[],
  search: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const path = [base === '/' ? '' : base, ...parts.map(encodeURIComponent)].join('/')
  const asked = new URLSearchParams(given).toString()
  return `${path === '' ? '/' : path}${asked === '' ? '' : `?${asked}`}`
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
