/** The support desk's phone number (E.164), email address and chat page. */
export const support = {
  phone: import.meta.env.VITE_SUPPORT_PHONE,
  email: import.meta.env.VITE_SUPPORT_EMAIL,
  chatUrl:
    import.meta.env.VITE_SUPPORT_CHAT_URL === 'self'
      ? `${location.origin}/sandbox/chat`
      : import.meta.env.VITE_SUPPORT_CHAT_URL,
} as const
