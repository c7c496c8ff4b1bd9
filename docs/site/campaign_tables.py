"""What docs/results/campaign.json says, as tables for docs/reliability.md."""


def summed(rows, key):
    return sum(row[key] for row in rows.values())


def mutation_table(levels, table):
    rows = []
    for level, kinds in levels.items():
        rows += [[f"`{name}`", level, *(f"{kind[key]:,}" for key in ("mutants", "read", "refused", "failed"))]
                 for name, kind in kinds.items()]
    total = [f"{sum(summed(kinds, key) for kinds in levels.values()):,}" for key in ("mutants", "read", "refused", "failed")]
    return table(["file", "read by", "mutants", "read", "refused", "failed"], rows + [["all", "", *total]], range(2, 6))


def fuzzing_table(readers, table):
    rows = [[f"`{name}`", f"{reader['executions']:,}", str(reader["found"])] for name, reader in readers.items()]
    total = ["all", f"{summed(readers, 'executions'):,}", str(summed(readers, "found"))]
    return table(["reader", "executions", "found"], rows + [total], (1, 2))


def binding_table(functions, table):
    keys = ("results", "refused", "found")
    rows = [[f"`{name}`", *(f"{counts[key]:,}" for key in keys)] for name, counts in functions.items()]
    total = ["all", *(f"{summed(functions, key):,}" for key in keys)]
    return table(["calls", "gave numbers", "refused", "found"], rows + [total], (1, 2, 3))


def kill_table(jobs, table):
    rows = [[f"`{name}`", *(f"{job[key]:,}" for key in ("kills", "rounds", "wrong"))] for name, job in jobs.items()]
    total = ["all", *(f"{summed(jobs, key):,}" for key in ("kills", "rounds", "wrong"))]
    return table(["command", "kills", "rounds", "wrong"], rows + [total], (1, 2, 3))


def campaign_text(results, table):
    """`table` makes Markdown of a header, rows and the columns to align at the right."""
    text = ""
    if "kills" in results:
        text += ("\n**Kills.** A round ends when the command has come to its end; it is wrong if any byte differs.\n\n" +
                 kill_table(results["kills"], table))
    if "mutations" in results:
        text += "\n**Mutations.**\n\n" + mutation_table(results["mutations"], table)
    if "fuzzing" in results:
        text += ("\n**Fuzzing.** A find is a crash, an error of a sanitizer, a leak, a timeout, or too much memory.\n\n" +
                 fuzzing_table(results["fuzzing"], table))
    if "bindings" in results:
        text += ("\n**Calls from Python,** with AddressSanitizer and UBSan. A find is a NaN or an infinity, another exception "
                 "than those of\nbad input, a changed argument, a crash, an error of a sanitizer, or a call of more than a minute.\n\n" +
                 binding_table(results["bindings"], table))
    return text + "\n"
