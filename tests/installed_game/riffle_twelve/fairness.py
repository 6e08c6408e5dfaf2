"""What docs/verify.py needs to know of Twelve: which events draw chance. Shares no code with it."""


def readers(verify):
    class Standard:
        BEGINS = frozenset({"shuffled"})
        LAST = "match_ended"

        def __init__(self, record, stream):
            self.stream = stream
            self.draws = 0

        def happened(self, kind, values):
            if kind == "shuffled":
                verify.expect("the shuffle", list(values[0]), self.stream.shuffled(range(12)))
                self.draws += 1

    return {("twelve", "standard"): Standard}
