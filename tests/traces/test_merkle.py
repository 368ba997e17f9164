"""The tree is the one of RFC 6962, however it came to its leaves."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.merkle import MerkleTree, leaf_hash

# The leaves and roots that certificate-transparency implementations test themselves with.
LEAVES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def by_definition(leaves: list[bytes]) -> bytes:
    """The recursion of RFC 6962, section 2.1, as it stands there."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\x01" + by_definition(leaves[:half]) + by_definition(leaves[half:])).digest()


def test_the_published_roots_come_out() -> None:
    tree = MerkleTree()
    for leaf, root in zip(LEAVES, ROOTS, strict=True):
        tree.add(leaf_hash(bytes.fromhex(leaf)))
        assert tree.root.hex() == root


@given(st.lists(st.binary(max_size=4), max_size=70), st.integers(0, 70))
def test_a_tree_that_went_on_from_its_edge_has_the_root_of_the_definition(
    leaves: list[bytes], cut: int
) -> None:
    tree = MerkleTree()
    for leaf in leaves[:cut]:
        tree.add(leaf_hash(leaf))
    again = MerkleTree(tree.size, tree.edge)
    for leaf in leaves[cut:]:
        again.add(leaf_hash(leaf))
    assert again.root == by_definition(leaves)
    assert tree.root == by_definition(leaves[:cut])


@pytest.mark.parametrize(
    ("size", "edge"), [(1, []), (3, [bytes(32)]), (2, [bytes(32)] * 2), (1, [bytes(31)])]
)
def test_an_edge_that_does_not_fit_the_size_is_refused(size: int, edge: list[bytes]) -> None:
    with pytest.raises(ValueError, match="another edge"):
        MerkleTree(size, edge)
