/** Owns which screen an address has, and fetches it when it is first needed. */
import { type ComponentType, lazy } from 'react'
import { destinationOf, destinations, type LoadScreen, settings, setup } from '../destinations.ts'

export interface ScreenAt {
  readonly path: string
  /** False for a page of its own, without the rail. */
  readonly framed: boolean
  readonly component: ComponentType
}

export interface Screens {
  /** Undefined where nothing has that address. */
  at(pathname: string): ScreenAt | undefined
  preload(pathname: string): void
}

interface Row {
  readonly path: string
  readonly load: LoadScreen
}

export function createScreens(): Screens {
  const rows: readonly (Row & { readonly framed: boolean })[] = [
    ...destinations.map((row) => ({ ...row, framed: true })),
    { ...settings, framed: true },
    { ...setup, framed: false },
  ]
  const screens = new Map(
    rows.map(({ path, load, framed }): [string, ScreenAt] => [
      path,
      { path, framed, component: lazy(async () => ({ default: (await load()).screen.component })) },
    ]),
  )
  const at = (pathname: string) => screens.get(pathOf(pathname) ?? '')
  return {
    at,
    preload(pathname) {
      const path = pathOf(pathname)
      const row = rows.find((each) => each.path === path)
      // What cannot be fetched now is asked for again when somebody goes there.
      row?.load().catch(() => undefined)
    },
  }
}

/** The path of the screen that an address is within. */
export function pathOf(pathname: string): string | undefined {
  const aside = [settings.path, setup.path].find(
    (path) => pathname === path || pathname.startsWith(`${path}/`),
  )
  return aside ?? destinationOf(pathname)?.path
}
