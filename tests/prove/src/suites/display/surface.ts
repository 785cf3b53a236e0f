/** What a surface is to the trials: something that shows an approval, read back as units that stand apart. */
import type { ApprovalView } from '@countersign/contract'

export interface ShownCard {
  /** Lines of a terminal or a chat, elements of a page; without the warning. */
  readonly units: readonly string[]
  /** What is also there to be read, and is not compared: names for readers, a host in both forms. */
  readonly besides?: readonly string[]
  readonly warns: boolean
  /** False where the surface says that there is more to read elsewhere. */
  readonly isWhole: boolean
  readonly isApprovable: boolean
}

export interface Surface {
  readonly name: string
  show(view: ApprovalView): ShownCard
  /** Units that say a text in another form, as a host in both of its own. They are read, but not for the text. */
  isDerived(unit: string): boolean
  /**
   * How the lines of a text that has several are marked: without a label, and below one. Null where a unit holds
   * several lines by itself.
   */
  readonly marks: { readonly plain: RegExp; readonly below: RegExp } | null
}
