/**
 * Translators replace or wrap React's text nodes with `<font>` elements, so React fails to remove or change
 * them. This depends on how React DOM 19.3 writes: `removeChild`, `insertBefore`, `appendChild`, and
 * `nodeValue` for a text. e2e/translated.spec.ts fails if that changes. Decision record 68 names the
 * alternatives.
 */
export function tolerateTranslation() {
  const { removeChild, insertBefore, appendChild } = Node.prototype
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') ?? {}
  const substitutes = new WeakMap<Node, ChildNode>()
  const used = new WeakSet<Node>()

  function note(changes: MutationRecord[]) {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes)
      for (const removed of removedNodes) {
        if (!(removed instanceof Text)) continue
        const substitute = [...addedNodes, previousSibling, nextSibling].find(
          (node) => node instanceof HTMLElement && node.localName === 'font' && !used.has(node),
        )
        if (!substitute) continue
        substitutes.set(removed, substitute as ChildNode)
        used.add(substitute)
      }
  }
  const watch = new MutationObserver(note)
  watch.observe(document.documentElement, { childList: true, subtree: true })

  /** Finds the child of the parent that has taken the place of React's node. */
  function findSubstitute(parent: Node, node: Node): ChildNode | null {
    note(watch.takeRecords())
    for (const start of [node, substitutes.get(node)])
      for (let at: Node | null = start ?? null; at; at = at.parentNode)
        if (at.parentNode === parent) return at as ChildNode
    return null
  }

  /** The translation of a moved text would stay behind. */
  function dropTranslation(node: Node) {
    if (!(node instanceof Text)) return
    note(watch.takeRecords())
    substitutes.get(node)?.remove()
    substitutes.delete(node)
  }

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child
    const present = findSubstitute(this, child)
    // If a translator has wrapped the element together with others, remove the element only.
    if (present && present.textContent !== child.textContent && child.parentNode)
      removeChild.call(child.parentNode, child)
    else present?.remove()
    return child
  }

  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    next: Node | null,
  ): Child {
    dropTranslation(child)
    return insertBefore.call(
      this,
      child,
      next && next.parentNode !== this ? findSubstitute(this, next) : next,
    ) as Child
  }

  Node.prototype.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
    dropTranslation(child)
    return appendChild.call(this, child) as Child
  }

  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Text, value: string) {
      nodeValue.set?.call(this, value)
      if (this.parentNode) return
      note(watch.takeRecords())
      // Put the text back, so that the translator finds it and translates its new value.
      substitutes.get(this)?.replaceWith(this)
      substitutes.delete(this)
    },
  })
}
