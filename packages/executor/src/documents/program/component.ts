/** Owns how the parts of calendars and contacts are looked at: components of one library, and the text of a property. */
import type ICAL from 'ical.js'

export type Component = InstanceType<typeof ICAL.Component>

/** Of the first property of that name; nothing where there is none. */
export function textOf(component: Component, name: string): string {
  const value = component.getFirstPropertyValue(name)
  return value === null || value === undefined ? '' : String(value)
}
