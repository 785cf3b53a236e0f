/** Shows a key as people compare it. */
import { useEffect, useState } from 'react'
import { hex } from '../../data/digest.ts'
import { Mono } from '../../kit/index.ts'

/** SHA-256 of the raw key, as `countersign device show` has it. */
export function Fingerprint({ of }: { of: string }) {
  const [text, setText] = useState('…')
  useEffect(() => {
    let asked = true
    const raw = Uint8Array.from(atob(of), (character) => character.charCodeAt(0))
    void crypto.subtle.digest('SHA-256', raw).then((hash) => {
      if (asked) setText(hex(new Uint8Array(hash)))
    })
    return () => {
      asked = false
    }
  }, [of])
  return <Mono text={text} className="break-all" />
}
