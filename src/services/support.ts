/** How the support is reached: a number (E.164), an address, and the page of the chat. */
export const support = {
  phone: import.meta.env.VITE_SUPPORT_PHONE,
  email: import.meta.env.VITE_SUPPORT_EMAIL,
  chatUrl:
    import.meta.env.VITE_SUPPORT_CHAT_URL === 'self'
      ? `${location.origin}/sandbox/chat`
      : import.meta.env.VITE_SUPPORT_CHAT_URL,
} as const
