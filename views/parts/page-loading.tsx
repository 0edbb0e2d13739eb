/** Says that the page loads, until its script has started. Not shown where there are no scripts. */

export function PageLoading({ text }: { text: string }) {
  return (
    <p class="page-loading" role="status">
      {text}
    </p>
  )
}
