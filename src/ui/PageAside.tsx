import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The place beside the page's heading. */
export const PageAsidePlace = createContext<HTMLElement | null>(null)

export function PageAside({ children }: { children: ReactNode }) {
  const place = use(PageAsidePlace)
  return place && createPortal(children, place)
}
