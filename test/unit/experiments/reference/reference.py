"""Makes set.json, a labelled set of 200 rows, and figures.json, what SciPy, scikit-learn and NumPy compute of it.

    apt-get install python3-scipy python3-sklearn      # SciPy 1.10, scikit-learn 1.2
    /usr/bin/python3 reference.py

The set has failed runs, rows without an expected value, rows that share a run, results without the compared part, and long
results (marked; the test gives them a vector of 3,000 numbers). Expected values are text of a CSV file.
"""

import json
import math
import random
import unicodedata
from decimal import Decimal

import numpy as np
from scipy import stats
from sklearn.metrics import confusion_matrix, f1_score

random.seed(35)
LABELS = ["en", "de", "fr", "Zürich", "1"]
NEVER_EXPECTED = ["xx", "yy"]


def expected_text(label):
    """The same label as people write it."""
    if label == "1":
        return random.choice(["1", "1.0", " 1"])
    return random.choice([label, f" {label}", unicodedata.normalize("NFD", label)])


def got_label(label, right):
    if random.random() < right:
        return 1 if label == "1" else label
    return random.choice([one for one in LABELS + NEVER_EXPECTED if one != label and one != "1"])


def make_rows():
    rows = []
    for at in range(200):
        number = round(random.uniform(-50, 50), 3)
        box = [random.randint(0, 20), random.randint(0, 20)]
        box += [box[0] + random.randint(5, 30), box[1] + random.randint(5, 30)]
        label = random.choice(LABELS)
        # Every tenth row asks what an earlier one asked, and so shares its run.
        text = rows[at - 7]["text"] if at % 10 == 9 else f"text {at}"
        if at % 10 == 9:
            label = rows[at - 7]["true"]
        blank = at % 17 == 3
        rows.append(
            {
                "text": text,
                "true": label,
                "label": "" if blank else expected_text(label),
                "number": "" if blank else f"{number:.3f}",
                "box": "" if blank else json.dumps(box),
                "words": "" if blank else f"{label} and {at % 3} more",
            }
        )
    return rows


def make_results(rows, right, noise):
    results = {}
    for at, row in enumerate(rows):
        if row["text"] in results:
            continue
        kind = random.random()
        line = {"cost": f"{random.randint(1, 900) / 100000:.5f}", "ms": random.randint(100, 4000)}
        if kind < 0.08:
            results[row["text"]] = {"state": "failed", **line}
            continue
        result = {}
        number = float(row["number"]) if row["number"] else 0.0
        box = json.loads(row["box"]) if row["box"] else [0, 0, 1, 1]
        if kind > 0.11:
            result["label"] = got_label(row["true"], right)
            result["number"] = round(number + random.gauss(0, noise), 4)
            found = [side + random.randint(-3, 3) for side in box]
            # Corners in the other order are no box: it is where nothing is expected.
            is_box = found[0] <= found[2] and found[1] <= found[3]
            result["box"] = found if is_box else [200, 200, 210, 210]
        result["words"] = "".join(
            letter for letter in f"{row['true']} and {at % 3} more" if random.random() < right + 0.08
        )
        results[row["text"]] = {"state": "finished", "result": result, "long": random.random() < 0.2, **line}
    return results


def plain(value):
    return unicodedata.normalize("NFC", str(value)).strip()


def key(value):
    """Labels as they are compared: some results are numbers, so text of a number is one."""
    text = plain(value)
    try:
        return str(float(text)).removesuffix(".0")
    except ValueError:
        return text


def groups(rows, of):
    """Places in `of` of the rows that share a run."""
    found = {}
    for place, at in enumerate(of):
        found.setdefault(rows[at]["text"], []).append(place)
    return list(found.values())


def wilson(share, sizes):
    """Of as many independent rows as tell as much as these groups of equal ones (Kish)."""
    count, z = sum(sizes) ** 2 / sum(size**2 for size in sizes), stats.norm.ppf(0.975)
    centre = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2)) / (1 + z**2 / count)
    if set(sizes) == {1}:
        ci = stats.binomtest(round(share * count), len(sizes)).proportion_ci(0.95, method="wilson")
        assert np.allclose([ci.low, ci.high], [centre - half, centre + half], rtol=1e-12)
    return [float(centre - half), float(centre + half)]


def jackknife(expected, got, labels, alike):
    def score(e, g):
        return f1_score(e, g, labels=labels, average="macro", zero_division=0)

    own, count = score(expected, got), len(alike)

    def left(group):
        kept = [i for i in range(len(expected)) if i not in group]
        return score([expected[i] for i in kept], [got[i] for i in kept])

    without = np.array([left(group) for group in alike])
    error = math.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum())
    unbiased = count * own - (count - 1) * without.mean()
    middle = min((1 + own) / 2, max(own / 2, unbiased))
    # Satterthwaite: labels weigh the same, whether many rows expect them or few.
    rows = np.array([sum(any(expected[i] == label for i in group) for group in alike) for label in labels])
    freedom = math.floor(min(count - 1, (1 / rows).sum() ** 2 / (1 / rows**3).sum()))
    half = stats.t.ppf(0.975, freedom) * error / (middle * (1 - middle))
    logit = math.log(middle / (1 - middle))
    ends = [1 / (1 + math.exp(half - logit)), 1 / (1 + math.exp(-half - logit))]
    return float(own), [float(min(own, ends[0])), float(max(own, ends[1]))]


def bootstrap_t(values, alike):
    """Of groups of rows. Other random numbers than the product's: compared with a tolerance."""
    rng = np.random.default_rng(1)
    sums = np.array([sum(values[i] for i in group) for group in alike])
    sizes, n = np.array([len(group) for group in alike]), len(alike)

    def estimate(sums, sizes):
        mean = sums.sum(-1, keepdims=True) / sizes.sum(-1, keepdims=True)
        squares = ((sums - mean * sizes) ** 2).sum(-1)
        return mean[..., 0], np.sqrt(squares * n / (n - 1)) / sizes.sum(-1)

    own, error = estimate(sums, sizes)
    chosen = rng.integers(0, n, (20_000, n))
    means, errors = estimate(sums[chosen], sizes[chosen])
    low, high = np.quantile((means - own) / errors, [0.025, 0.975])
    return [float(own - high * error), float(own - low * error)]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (letter != other))
    return row[-1]


def overlap(a, b):
    width = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    area = lambda box: max(0, box[2] - box[0]) * max(0, box[3] - box[1])
    both = area(a) + area(b) - width * height
    return width * height / both if both > 0 else 0.0


def values_of(rows, results, metric):
    """Row → value, of the rows that can be measured."""
    found = {}
    for at, row in enumerate(rows):
        line = results[row["text"]]
        failed, result = line["state"] == "failed", line.get("result", {})
        if metric in ("accuracy", "exact"):
            if plain(row["label"]) != "":
                found[at] = 0.0 if failed else float("label" in result and key(result["label"]) == key(row["label"]))
        elif metric in ("absolute_error", "squared_error"):
            if row["number"] != "" and not failed and "number" in result:
                off = abs(result["number"] - float(row["number"]))
                found[at] = off if metric == "absolute_error" else off**2
        elif metric == "iou":
            if row["box"] != "":
                found[at] = 0.0 if failed or "box" not in result else overlap(result["box"], json.loads(row["box"]))
        elif metric == "edit_distance":
            if row["words"] != "" and not failed:
                found[at] = float(edit_distance(plain(result["words"]), plain(row["words"])))
        elif metric == "contains":
            if row["words"] != "":
                found[at] = 0.0 if failed else float(plain(row["words"]) in plain(result["words"]))
    return found


def label_lists(rows, results, of):
    expected = [key(rows[at]["label"]) for at in of]
    got = []
    for at in of:
        line = results[rows[at]["text"]]
        got.append(key(line["result"]["label"]) if "label" in line.get("result", {}) else "")
    return expected, got


def figures():
    rows = make_rows()
    columns = {"a": make_results(rows, 0.85, 2.0), "b": make_results(rows, 0.72, 2.6)}
    found = {"columns": {}, "comparisons": {}}
    for name, results in columns.items():
        own = {}
        for metric in ["accuracy", "iou", "absolute_error", "squared_error", "edit_distance", "contains"]:
            measured = values_of(rows, results, metric)
            values, alike = list(measured.values()), groups(rows, measured)
            share = float(np.mean(values))
            is_share = metric in ("accuracy", "contains")
            interval = wilson(share, [len(g) for g in alike]) if is_share else bootstrap_t(values, alike)
            own[metric] = {"value": share, "interval": interval, "count": len(values), "different": len(alike)}
        of = list(values_of(rows, results, "accuracy"))
        expected, got = label_lists(rows, results, of)
        labels = sorted(set(expected))
        alike = groups(rows, of)
        value, interval = jackknife(expected, got, labels, alike)
        own["macro_f1"] = {"value": value, "interval": interval, "count": len(of), "different": len(alike)}
        own["macro_f1"]["unexpected"] = sum(label not in labels and label != "" for label in got)
        names = sorted(set(expected) | set(got))
        times = [line["ms"] for line in results.values() if line["state"] == "finished"]
        own["confusion"] = {"labels": names, "counts": confusion_matrix(expected, got, labels=names).tolist()}
        own["median"] = float(np.quantile(times, 0.5))
        own["percentile95"] = float(np.quantile(times, 0.95, method="inverted_cdf"))
        own["cost"] = str(sum(Decimal(line["cost"]) for line in results.values()))
        found["columns"][name] = own
    for metric in ["accuracy", "iou", "absolute_error", "edit_distance"]:
        a, b = (values_of(rows, results, metric) for results in columns.values())
        common = [at for at in b if at in a]
        off = np.array([b[at] - a[at] for at in common])
        alike = groups(rows, common)
        sums = np.array([off[group].sum() for group in alike])
        test = stats.permutation_test(
            (sums,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples",
            vectorized=True, n_resamples=20_000, random_state=1,
        )
        p = test.pvalue
        few = off[off != 0][:12]
        exact = stats.permutation_test(
            (few,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples", vectorized=True,
            n_resamples=np.inf,
        )
        found["comparisons"][metric] = {
            "difference": float(off.mean()), "count": len(common), "different": len(alike), "p": float(p),
            "few": few.tolist(), "fewP": float(exact.pvalue),
        }
    for row in rows:
        del row["true"]
    return {"rows": rows, "results": columns}, found


if __name__ == "__main__":
    labelled, computed = figures()
    for name, value in [("set", labelled), ("figures", computed)]:
        with open(f"{name}.json", "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, separators=(",", ":"))
            file.write("\n")
