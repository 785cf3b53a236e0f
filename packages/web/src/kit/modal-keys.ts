/** Owns the silence under a window. */
import { useKeys } from '../environment/keys.tsx'

/** Being there is enough: a modal scope silences the others. */
export function ModalKeys() {
  useKeys('dialog', [], { modal: true })
  return null
}
