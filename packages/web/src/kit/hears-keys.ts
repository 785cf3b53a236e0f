/** Owns keys that a whole part of the page hears, wherever in it the focus is. */
import type { RefCallback } from 'react'

/** `<form ref={hearsKeys(submitsByKey)}>` */
export function hearsKeys<Part extends HTMLElement>(
  onKey: (event: KeyboardEvent) => void,
): RefCallback<Part> {
  return (part) => {
    part?.addEventListener('keydown', onKey)
    return () => part?.removeEventListener('keydown', onKey)
  }
}
