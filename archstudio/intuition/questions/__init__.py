"""Questions about trained candidates: which of these set-ups ends best?"""
